#include "facts/facts.h"
#include "host/ask.h"
#include "host/variable_names.h"

namespace whygpu::probes::environment {

namespace {

using Variables = std::vector<EnvironmentFacts::Variable>;

constexpr std::size_t variables_limit = 500;

}  // namespace

void probe(Host& host, Facts& facts) {
    const Known<std::map<std::string, std::string>> all = variables(host);
    if (!all) {
        facts.environment.variables = Known<Variables>::missing_like(all);
        return;
    }
    Variables found;
    for (const auto& [name, value] : *all) {
        if (steers_gpu_software(name) && found.size() < variables_limit) {
            const Source source{"environment", 0, name + "=" + value};
            found.push_back({Known<std::string>(name, source), Known<std::string>(value, source)});
        }
    }
    facts.environment.variables = Known<Variables>(found, all.source());
}

}  // namespace whygpu::probes::environment
