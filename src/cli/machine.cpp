#include "cli/machine.h"

#include <cstdlib>

#include "base/text.h"
#include "host/ask.h"
#include "host/live.h"
#include "host/own_names.h"
#include "host/snapshot.h"
#include "host/tree.h"
#include "judge/collect.h"

namespace whygpu {

namespace {

std::string environment_value(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// The folder of the user's tables, whether or not it exists; empty when there is no home.
std::string default_knowledge_folder() {
    std::string base = environment_value("XDG_CONFIG_HOME");
    if (base.empty() && !environment_value("HOME").empty()) {
        base = environment_value("HOME") + "/.config";
    }
    return base.empty() ? "" : base + "/whygpu/knowledge";
}

}  // namespace

Result<Machine> open_machine(const Arguments& arguments) {
    if (const auto path = arguments.value("--snapshot")) {
        Result<std::unique_ptr<Host>> host = open_snapshot(*path);
        if (!host) {
            return tl::unexpected<Error>(host.error());
        }
        return Machine{std::shared_ptr<Host>(std::move(*host)), true};
    }
    if (const auto folder = arguments.value("--root")) {
        Result<std::unique_ptr<Host>> host = make_tree_host(*folder);
        if (!host) {
            return tl::unexpected<Error>(host.error());
        }
        return Machine{std::shared_ptr<Host>(std::move(*host)), true};
    }
    return Machine{std::shared_ptr<Host>(make_live_host(LiveOptions{})), false};
}

Result<Knowledge> load_knowledge(const Arguments& arguments) {
    const std::optional<std::string> asked = arguments.value("--knowledge");
    const std::string folder = asked ? absolute_path(*asked) : default_knowledge_folder();
    Knowledge::Changes changes;
    if (!folder.empty()) {
        const std::unique_ptr<Host> host = make_live_host(LiveOptions{});
        const Known<std::vector<std::string>> names = list_directory(*host, folder);
        if (asked && !names) {
            return fail(ErrorCode::not_found, *asked + ": " + names.because());
        }
        for (const std::string& name : names ? *names : std::vector<std::string>{}) {
            if (!name.ends_with(".tsv")) {
                continue;
            }
            const Known<std::string> text = read_file(*host, folder + "/" + name);
            if (!text) {
                return fail(ErrorCode::io, folder + "/" + name + ": " + text.because());
            }
            changes[name.substr(0, name.size() - 4)] = *text;
        }
    }
    return Knowledge::load(changes);
}

Result<Facts> facts_of_snapshot(const std::string& path, const UnitLibrary& units,
                                std::chrono::steady_clock::time_point deadline) {
    Result<std::unique_ptr<Host>> host = open_snapshot(path);
    if (!host) {
        return tl::unexpected<Error>(host.error());
    }
    return collect(std::shared_ptr<Host>(std::move(*host)), units.probes(), deadline);
}

}  // namespace whygpu
