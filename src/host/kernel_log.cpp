#include "host/kernel_log.h"

#include <fcntl.h>
#include <sys/klog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <vector>

#include "base/text.h"
#include "host/descriptor.h"
#include "host/files.h"

// /dev/kmsg gives one record a read and EAGAIN after the newest. EPIPE says that records were
// overwritten while we read: the next read goes on with the oldest one left. Both sources are closed
// to ordinary users when kernel.dmesg_restrict is 1, the default of Ubuntu, Debian and Fedora.

namespace whygpu {

namespace {

constexpr int records_limit = 500000;
constexpr int syslog_read_all = 3;
constexpr int syslog_size_buffer = 10;
constexpr int syslog_size_limit = 16 << 20;

/// Bytes that the kernel wrote as \xHH.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = text[at] == '\\' && at + 3 < text.size() && text[at + 1] == 'x';
        const std::optional<std::uint64_t> byte =
            escape ? parse_hex(text.substr(at + 2, 2)) : std::optional<std::uint64_t>();
        out += byte ? static_cast<char>(*byte) : text[at];
        at += byte ? 3 : 0;
    }
    return out;
}

/// "[   12.345678] " as dmesg prints it.
std::string time_stamp(std::uint64_t microseconds) {
    const std::string seconds = std::to_string(microseconds / 1000000);
    const std::string fraction = std::to_string(microseconds % 1000000);
    return "[" + std::string(seconds.size() < 5 ? 5 - seconds.size() : 0, ' ') + seconds + "." +
           std::string(6 - fraction.size(), '0') + fraction + "] ";
}

/// Drops the oldest whole lines beyond the limit.
void keep_newest(std::string& text, bool& truncated) {
    if (text.size() <= answer_limit_bytes) {
        return;
    }
    truncated = true;
    text.erase(0, text.size() - answer_limit_bytes);
    const std::size_t end = text.find('\n');
    text.erase(0, end == std::string::npos ? 0 : end + 1);
}

Answer read_records(const Descriptor& log) {
    Answer answer;
    std::array<char, 16384> buffer;
    for (int records = 0; records < records_limit; ++records) {
        const ssize_t count = read(log.get(), buffer.data(), buffer.size());
        if (count < 0 && (errno == EPIPE || errno == EINTR || errno == EINVAL)) {
            continue;
        }
        if (count <= 0) {
            break;
        }
        answer.text += format_kernel_record(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
        if (answer.text.size() > 2 * answer_limit_bytes) {
            keep_newest(answer.text, answer.truncated);
        }
    }
    keep_newest(answer.text, answer.truncated);
    return answer;
}

Answer read_syslog() {
    const int size = klogctl(syslog_size_buffer, nullptr, 0);
    std::vector<char> buffer(static_cast<std::size_t>(std::clamp(size, 1 << 16, syslog_size_limit)));
    const int count = klogctl(syslog_read_all, buffer.data(), static_cast<int>(buffer.size()));
    if (count < 0) {
        return answer_for_errno(errno);
    }
    Answer answer;
    answer.text = without_priorities(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    keep_newest(answer.text, answer.truncated);
    return answer;
}

}  // namespace

Answer read_kernel_log() {
    const Descriptor log(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    const int error = log.valid() ? 0 : errno;
    Answer answer = log.valid() ? read_records(log) : Answer{};
    // Containers have no /dev/kmsg, or one that is empty: then only the system call may know.
    if (!log.valid() || answer.text.empty()) {
        answer = read_syslog();
    }
    if (answer.missing == Missing::denied || (answer.missing && (error == EACCES || error == EPERM))) {
        return missing_answer(Missing::denied, "only root may read the kernel log here");
    }
    return answer;
}

std::string format_kernel_record(std::string_view record) {
    const std::size_t semicolon = record.find(';');
    if (semicolon == std::string_view::npos) {
        return "";
    }
    const std::vector<std::string_view> fields = split(record.substr(0, semicolon), ',');
    const std::optional<std::int64_t> microseconds = fields.size() < 3 ? std::nullopt : parse_int(fields[2]);
    if (!microseconds || *microseconds < 0) {
        return "";
    }
    const std::string_view rest = record.substr(semicolon + 1);
    const std::string text = unescaped(rest.substr(0, rest.find('\n')));
    const std::string stamp = time_stamp(static_cast<std::uint64_t>(*microseconds));
    std::string out;
    for (std::string_view line : lines_of(text)) {
        out += stamp;
        out += line;
        out += '\n';
    }
    return out;
}

std::string without_priorities(std::string_view text) {
    std::string out;
    for (std::string_view line : lines_of(text)) {
        const std::size_t end = line.starts_with('<') ? line.substr(0, 6).find('>') : std::string_view::npos;
        out += end == std::string_view::npos ? line : line.substr(end + 1);
        out += '\n';
    }
    return out;
}

}  // namespace whygpu
