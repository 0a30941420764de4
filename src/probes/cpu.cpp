#include <algorithm>
#include <array>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"

namespace whygpu::probes::cpu {

namespace {

using Names = std::vector<std::string>;

constexpr const char* file = "/proc/cpuinfo";
// What builds of frameworks ask for; the other hundred flags are noise.
constexpr std::array<std::string_view, 7> wanted = {"sse4_1", "sse4_2", "avx",    "avx2",
                                                    "fma",    "f16c",   "avx512f"};

struct Line {
    int number = 0;
    std::string_view text;
    std::string_view value;  ///< what stands behind the colon
};

// The first line of that name: the processors of a machine are alike.
Line line_of(const std::string& content, std::string_view name) {
    int number = 0;
    for (const std::string_view text : lines_of(content)) {
        ++number;
        const std::size_t colon = text.find(':');
        if (colon != std::string_view::npos && trimmed(text.substr(0, colon)) == name) {
            return Line{number, text, trimmed(text.substr(colon + 1))};
        }
    }
    return {};
}

}  // namespace

// Processors other than x86 have "Features" in place of "flags", with other names, and often no model.
void probe(Host& host, Facts& facts) {
    CpuFacts& cpu = facts.cpu;
    const Known<std::string> content = read_file(host, file);
    cpu.model = Known<std::string>::missing_like(content);
    cpu.features = Known<Names>::missing_like(content);
    if (!content) {
        return;
    }
    const Line model = line_of(*content, "model name");
    cpu.model = model.number > 0 ? Known<std::string>(std::string(model.value),
                                                      Source{file, model.number, std::string(model.text)})
                                 : Known<std::string>::missing(Missing::unsupported, "no line 'model name'",
                                                               {file, 0, ""});
    const Line flags = line_of(*content, "flags");
    if (flags.number == 0) {
        cpu.features = Known<Names>::missing(Missing::unsupported, "no line 'flags'", {file, 0, ""});
        return;
    }
    const std::vector<std::string_view> words = words_of(flags.value);
    Names features;
    for (const std::string_view name : wanted) {
        if (std::ranges::find(words, name) != words.end()) {
            features.emplace_back(name);
        }
    }
    const std::string text = "flags: " + join(features, " ");
    cpu.features = Known<Names>(std::move(features), Source{file, flags.number, text});
}

}  // namespace whygpu::probes::cpu
