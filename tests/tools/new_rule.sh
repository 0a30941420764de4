#!/usr/bin/env bash
# Proves that a rule is its files and nothing else: adds one to a copy of the sources, configures the copy, builds
# what is new there, links it with the library of this build, and runs the program.
# usage: new_rule.sh SOURCE_DIR BUILD_DIR SNAPSHOT
set -eu
source=$1 build=$2 snapshot=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source/src" "$source/cmake" "$source/CMakeLists.txt" "$scratch/"

folder="$scratch/src/rules/driver"
cat >"$folder/scratch_rule.cpp" <<'CPP'
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::driver::scratch_rule {

Verdict check(const RuleInput& input) {
    Finding finding;
    finding.subject = *input.facts.kernel.release;
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::scratch_rule
CPP
cat >"$folder/scratch_rule.md" <<'MD'
+++
id = "driver.scratch-rule"
severity = "warning"
needs = ["kernel.release"]
since = "0.1.0"
sources = ["this test"]

[[fix]]
step = "nothing"
commands = ["true"]
safety = "safe"
+++
# A rule of two files

## What it means
It was added by a test.

## How to fix
- `nothing`: Do nothing
MD

cmake -S "$scratch" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
objects=(
    CMakeFiles/whygpu_core.dir/generated/embedded.cpp.o
    CMakeFiles/whygpu_core.dir/generated/embedded_data.S.o
    CMakeFiles/whygpu_core.dir/src/rules/driver/scratch_rule.cpp.o
    CMakeFiles/whygpu.dir/src/cli/main.cpp.o
)
ninja -C "$scratch/build" "${objects[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
libraries=()
for name in archive zstd z re2; do libraries+=("$(g++ -print-file-name="lib$name.a")"); done
(cd "$scratch/build" && g++ -Wl,--gc-sections -o whygpu "${objects[@]}" "$build/libwhygpu_core.a" "${libraries[@]}" -lpthread -ldl)

"$scratch/build/whygpu" rules -q | grep -qx driver.scratch-rule || { echo "not in the manual"; exit 1; }
"$scratch/build/whygpu" doctor --snapshot "$snapshot" --only driver.scratch | grep "A rule of two files"
