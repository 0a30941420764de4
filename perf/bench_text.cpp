// What grows with its input: snapshots, the kernel log, redaction, making text safe to print.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "base/unicode.h"
#include "facts/facts.h"
#include "host/redact.h"
#include "host/snapshot.h"
#include "host/snapshot_format.h"
#include "units/library.h"

namespace whygpu {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

void count_bytes(benchmark::State& state, std::size_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
}

// A kernel log of that size: what a machine says in years, with a GPU's complaints now and then.
std::string kernel_log(std::size_t bytes) {
    constexpr std::string_view lines[] = {
        "usb 1-1: new high-speed USB device number 4 using xhci_hcd",
        "EXT4-fs (nvme0n1p2): re-mounted. Quota mode: none.",
        "audit: type=1400 audit(1733000000.123:42): apparmor=\"ALLOWED\" operation=\"open\" profile=\"x\" "
        "pid=812",
        "docker0: port 3(veth1c2d3e4) entered blocking state",
        "pcieport 0000:00:01.0: AER: Corrected error message received from 0000:01:00.0",
        "systemd-journald[412]: Received client request to flush runtime journal.",
    };
    std::string text;
    for (std::size_t number = 0; text.size() < bytes; ++number) {
        text += "[" + std::to_string(10000 + number) + ".123456] ";
        text += number % 5000 == 4999 ? "NVRM: Xid (PCI:0000:01:00): 79, pid=812, GPU has fallen off the bus."
                                      : lines[number % std::size(lines)];
        text += '\n';
    }
    text.resize(bytes);
    return text;
}

// The log as the only answer of a snapshot, for it is read through the whole way.
std::unique_ptr<Host> host_with_log(std::string log) {
    Snapshot snapshot;
    snapshot.records[Query{QueryKind::kernel_log, ""}].text = std::move(log);
    return make_snapshot_host(std::move(snapshot));
}

void kernel_log_probe(benchmark::State& state) {
    const UnitLibrary units = UnitLibrary::load().value();
    const std::unique_ptr<Host> host = host_with_log(kernel_log(4 * mebibyte));
    ProbeFunction probe = nullptr;
    for (const ProbeUnit& unit : units.probes()) {
        probe = unit.document.section == "kernel_log" ? unit.probe : probe;
    }
    for (auto _ : state) {
        Facts facts;
        probe(*host, facts);
        benchmark::DoNotOptimize(facts.kernel_log.messages.known());
    }
    count_bytes(state, 4 * mebibyte);
}
BENCHMARK(kernel_log_probe)->Unit(benchmark::kMillisecond);

// As many small files as a recording has, and one large answer.
std::string answers_text() {
    Records records;
    for (int number = 0; number < 2000; ++number) {
        Answer& answer =
            records[Query{QueryKind::file, "/sys/bus/pci/devices/" + std::to_string(number) + "/uevent"}];
        answer.text = "DRIVER=nvidia\nPCI_CLASS=30000\nPCI_ID=10DE:2B85\nPCI_SLOT_NAME=0000:01:00.0\n";
    }
    records[Query{QueryKind::kernel_log, ""}].text = kernel_log(mebibyte);
    return format_answers(records);
}

void snapshot_parse(benchmark::State& state) {
    const std::string text = answers_text();
    for (auto _ : state) {
        benchmark::DoNotOptimize(parse_answers(text).has_value());
    }
    count_bytes(state, text.size());
}
BENCHMARK(snapshot_parse)->Unit(benchmark::kMillisecond);

void printable_text(benchmark::State& state) {
    const std::string text = kernel_log(mebibyte);
    for (auto _ : state) {
        benchmark::DoNotOptimize(printable(text).size());
    }
    count_bytes(state, text.size());
}
BENCHMARK(printable_text)->Unit(benchmark::kMillisecond);

void redact_text(benchmark::State& state) {
    const Redactor redactor(OwnNames{"gpubox7", "mwilder", "/data/people/mwilder"});
    const std::string text = kernel_log(mebibyte);
    for (auto _ : state) {
        benchmark::DoNotOptimize(redactor.redact(text).size());
    }
    count_bytes(state, text.size());
}
BENCHMARK(redact_text)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whygpu
