// What every run pays before it has asked the machine anything.

#include <benchmark/benchmark.h>

#include "i18n/catalogue.h"
#include "knowledge/knowledge.h"
#include "units/library.h"

namespace whygpu {
namespace {

// A table is parsed when it is first asked for, so the load alone would measure nothing.
void knowledge_load(benchmark::State& state) {
    for (auto _ : state) {
        const Knowledge tables = Knowledge::load().value();
        std::size_t rows = 0;
        for (const std::string& name : tables.names()) {
            rows += tables.table(name).size();
        }
        benchmark::DoNotOptimize(rows);
    }
}
BENCHMARK(knowledge_load)->Unit(benchmark::kMicrosecond);

void unit_library_load(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(UnitLibrary::load().has_value());
    }
}
BENCHMARK(unit_library_load)->Unit(benchmark::kMicrosecond);

void catalogue_load(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(Catalogue::load(Lang::zh).has_value());
    }
}
BENCHMARK(catalogue_load)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace whygpu
