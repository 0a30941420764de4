// Snapshots come by mail and out of issues. The first byte says what the rest is: the text of an answers
// file, a `.whygpu` file, or a tar archive that is put into one here, because no fuzzer gets through zstd's
// checks by chance.

#include <zstd.h>

#include <string>

#include "check.h"
#include "host/archive.h"
#include "host/snapshot.h"
#include "host/snapshot_format.h"

using namespace whygpu;
using fuzz::require;

namespace {

void check_answers(std::string_view text) {
    const Result<RecordedAnswers> first = parse_answers(text);
    if (!first) {
        require(!first.error().message.empty(), "an error says what is wrong");
        return;
    }
    const std::string written = format_answers(first->records);
    const Result<RecordedAnswers> second = parse_answers(written);
    require(second.has_value(), "what is written can be read");
    require(second->records == first->records, "what is written reads as it was");
    require(format_answers(second->records) == written, "writing it again changes nothing");
}

void check_names(const std::vector<Member>& members) {
    std::size_t total = 0;
    for (const Member& member : members) {
        require(is_plain_name(member.name), "a member stays in its folder");
        total += member.bytes.size();
    }
    require(members.size() <= members_limit && total <= members_bytes_limit, "members keep the limits");
}

void check_file(std::string_view bytes) {
    if (const Result<std::vector<Member>> members = read_archive_bytes(bytes)) {
        check_names(*members);
        const Result<std::string> again = make_archive(*members);
        require(again.has_value() && read_archive_bytes(*again).has_value(), "members can be packed again");
    }
    if (Result<Snapshot> snapshot = read_snapshot_bytes(bytes)) {
        const std::unique_ptr<Host> host = make_snapshot_host(std::move(*snapshot));
        host->answer({QueryKind::file, "/proc/driver/nvidia/version"});
        host->answer({QueryKind::directory, "/sys/../sys//bus/pci/"});
    }
}

std::string compressed(std::string_view bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1);
    out.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view rest = fuzz::text_of(data + 1, size - 1);
    switch (data[0]) {
        case 'z':
            check_file(rest);
            break;
        case 't':
            check_file(compressed(rest));
            break;
        default:
            check_answers(fuzz::text_of(data, size));
            break;
    }
    return 0;
}
