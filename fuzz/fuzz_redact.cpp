// What must not leave a machine, wherever it stands. RE2 keeps the time linear; a long input that takes
// much longer than a short one runs into libFuzzer's time-out.

#include <string>

#include "base/text.h"
#include "check.h"
#include "host/redact.h"

using namespace whygpu;
using fuzz::require;

namespace {

const Redactor& redactor() {
    static const Redactor all(OwnNames{"gpubox7.example.org", "mwilder", "/data/people/mwilder"});
    return all;
}

void check_text(const std::string& text) {
    const std::string once = redactor().redact(text);
    require(redactor().redact(once) == once, "redacting again changes nothing");
    require(once.size() <= 8 * text.size() + 64, "marks are short");
    require(!contains(lower(once), "mwilder.") || contains(lower(text), "mwilder."), "nothing is made up");
}

// On a line of its own each of these is found, whatever stands around it.
void check_planted(const std::string& text) {
    constexpr std::string_view planted[] = {
        "hf_"
        "QqWwEeRrTtYyUuIiOoPpAaSs",
        "AKIAIOSFODNN7EXAMPLE",
        "GPU-0f2d3a4b-1111-2222-3333-444455556666",
        "maria@mail.example.org",
        "10.20.30.41",
        "gpubox7.example.org",
        "00:1a:2b:3c:4d:5e"};
    std::string full = text;
    for (const std::string_view secret : planted) {
        full += "\n" + std::string(secret) + "\n" + text;
    }
    const std::string safe = redactor().redact(full);
    for (const std::string_view secret : planted) {
        const std::string_view core = secret.substr(4);
        require(contains(text, core) || !contains(safe, core), "a planted secret is gone");
    }
}

void check_long(const std::string& text) {
    constexpr std::size_t long_enough = 65536;
    std::string repeated;
    while (repeated.size() < long_enough) {
        repeated += text;
    }
    redactor().redact(repeated);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string text(fuzz::text_of(data + 1, size - 1));
    switch (data[0] % 16) {
        case 0:
            if (!text.empty()) {
                check_long(text);
            }
            break;
        case 1: {
            const Query query{static_cast<QueryKind>(size % 11), text};
            const Query other = redactor().redact(query);
            require(redactor().redact(other) == other, "a question is redacted once");
            redactor().redact(query, Answer{Missing::denied, text, text, 0, false});
            break;
        }
        case 2:
        case 3:
        case 4:
            check_planted(text);
            break;
        default:
            check_text(text);
            break;
    }
    return 0;
}
