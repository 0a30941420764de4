#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/platform.h"
#include "units/registry.h"

namespace whygpu::probes::kernel {

namespace {

// The variable's content is four bytes of attributes and one byte: 1 when Secure Boot is on. A
// machine that did not boot through EFI has no such thing as Secure Boot.
Known<bool> secure_boot(Host& host) {
    const std::string efi = "/sys/firmware/efi";
    const std::string variable = efi + "/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
    const Known<std::string> content = read_file(host, variable);
    if (content) {
        if (content->size() < 5) {
            return Known<bool>::missing(Missing::malformed, "the EFI variable is shorter than 5 bytes",
                                        {variable, 0, ""});
        }
        const bool on = (*content)[4] == 1;
        return Known<bool>(on, Source{variable, 0, on ? "1" : "0"});
    }
    const Known<bool> booted_by_efi = exists(host, efi);
    if (booted_by_efi.is(false)) {
        return Known<bool>(false, Source{efi, 0, "not there: not booted through EFI"});
    }
    return Known<bool>::missing_like(content);
}

// "none [integrity] confidentiality": the one in brackets holds.
Known<std::string> lockdown(Host& host) {
    const Known<std::string> line = read_value(host, "/sys/kernel/security/lockdown");
    if (!line) {
        return line;
    }
    const std::size_t open = line->find('[');
    const std::size_t close = line->find(']');
    if (open == std::string::npos || close == std::string::npos || close < open) {
        return Known<std::string>::missing(Missing::malformed, "no state in brackets", line.source());
    }
    return Known<std::string>(line->substr(open + 1, close - open - 1), line.source());
}

}  // namespace

void probe(Host& host, Facts& facts) {
    KernelFacts& kernel = facts.kernel;
    kernel.release = platform_value(host, "release");
    kernel.command_line = read_value(host, "/proc/cmdline");
    kernel.secure_boot = secure_boot(host);
    kernel.lockdown = lockdown(host);
    kernel.headers_installed = kernel.release ? exists(host, "/lib/modules/" + *kernel.release + "/build")
                                              : Known<bool>::missing_like(kernel.release);
}

}  // namespace whygpu::probes::kernel
