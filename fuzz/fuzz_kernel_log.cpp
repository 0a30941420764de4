// The kernel log holds what devices, drivers and every process with the right to write to it say.

#include "answering_host.h"
#include "base/text.h"
#include "check.h"
#include "facts/facts.h"
#include "host/kernel_log.h"

namespace whygpu::probes::kernel_log {
void probe(Host& host, Facts& facts);
}  // namespace whygpu::probes::kernel_log

using namespace whygpu;
using fuzz::require;

namespace {

// A record of /dev/kmsg is one line or more, each with its time; anything else is nothing.
void check_record(std::string_view record) {
    const std::string text = format_kernel_record(record);
    require(text.empty() || text.ends_with('\n'), "a record is whole lines");
    for (const std::string_view line : lines_of(text)) {
        require(line.starts_with('['), "each line has its time");
    }
    const std::string plain = without_priorities(record);
    require(lines_of(plain).size() == lines_of(record).size(), "a priority goes, its line stays");
}

void check_messages(const Facts& facts) {
    if (!facts.kernel_log.messages) {
        return;
    }
    require(facts.kernel_log.messages->size() <= 200, "at most 200 messages");
    for (const KernelLogFacts::Message& message : *facts.kernel_log.messages) {
        require(message.kind.known() && !message.kind->empty(), "a message has a kind");
        require(message.text.known() && message.text->size() <= 1000, "a message is short");
        require(!message.code.known() || *message.code >= 0, "a code is not negative");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    check_record(text);
    fuzz::AnsweringHost host(QueryKind::kernel_log, fuzz::answer_from(text));
    Facts facts;
    probes::kernel_log::probe(host, facts);
    check_messages(facts);
    return 0;
}
