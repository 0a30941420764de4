#include <array>
#include <ctime>

#include "base/text.h"
#include "base/unicode.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "host/live.h"
#include "host/own_names.h"
#include "host/recording.h"
#include "host/redact.h"
#include "host/snapshot.h"
#include "judge/collect.h"
#include "report/view.h"

namespace whygpu {

namespace {

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

Records redacted(const Records& records) {
    const Redactor redactor(own_names());
    Records out;
    for (const auto& [query, answer] : records) {
        out.emplace(redactor.redact(query), redactor.redact(query, answer));
    }
    return out;
}

// A recording host that shares the life of the host it asks, since threads may outlive the run.
struct Recorder {
    std::unique_ptr<Host> live = make_live_host(LiveOptions{});
    RecordingHost host{*live};
};

int record(const std::string& path, const Arguments& arguments, const Session& session) {
    const Result<UnitLibrary> units = UnitLibrary::load();
    const Result<std::chrono::steady_clock::time_point> deadline = deadline_of(arguments, session);
    if (!units || !deadline) {
        complain(units ? deadline.error().message : units.error().message, session);
        return units ? exit_usage : exit_internal;
    }
    const auto recorder = std::make_shared<Recorder>();
    collect(std::shared_ptr<Host>(recorder, &recorder->host), units->probes(), *deadline);
    const bool redact = !arguments.has("--no-redact");
    const Records records = redact ? redacted(recorder->host.records()) : recorder->host.records();
    const Result<void> written =
        write_snapshot_file(path, SnapshotMeta{program_version(), utc_now(), redact}, records);
    if (!written) {
        complain(written.error().message, session);
        return exit_blind;
    }
    const std::string state = session.words.text(redact ? "snapshot.redacted" : "snapshot.not_redacted");
    const std::string line = session.words.text(
        "snapshot.written", {{"count", std::to_string(records.size())}, {"path", path}, {"redacted", state}});
    std::fputs((line + "\n").c_str(), stderr);
    return exit_ok;
}

std::string answer_summary(const Answer& answer, const Catalogue& words) {
    std::string text;
    if (answer.missing) {
        text = words.text("snapshot.missing",
                          {{"reason", words.text("missing." + std::string(name_of(*answer.missing)))}});
        text += answer.because.empty() ? "" : " (" + answer.because + ")";
    }
    if (!answer.text.empty()) {
        text += text.empty() ? "" : ", ";
        text += words.text("snapshot.bytes", {{"count", std::to_string(answer.text.size())}});
    }
    return printable(text);
}

int show(const std::string& path, const Arguments& arguments, const Session& session) {
    const Result<Snapshot> snapshot = read_snapshot(path);
    if (!snapshot) {
        complain(snapshot.error().message, session);
        return exit_blind;
    }
    const Catalogue& words = session.words;
    std::string out = words.text(
        "snapshot.meta", {{"recorded", snapshot->meta.recorded}, {"version", snapshot->meta.whygpu_version}});
    out += " · " + words.text(snapshot->meta.redacted ? "snapshot.redacted" : "snapshot.not_redacted") + "\n";
    const bool verbose = arguments.has("--verbose");
    if (verbose) {
        return write_output(out + format_answers(snapshot->records), arguments, session) ? exit_ok
                                                                                         : exit_blind;
    }
    for (const auto& [query, answer] : snapshot->records) {
        out += padded(name_of(query.kind), 12) + printable(query.argument) + "  " +
               answer_summary(answer, words) + "\n";
    }
    return write_output(out, arguments, session) ? exit_ok : exit_blind;
}

}  // namespace

int run_snapshot(const Arguments& arguments, const Session& session) {
    if (const auto path = arguments.value("--show")) {
        return show(*path, arguments, session);
    }
    const std::optional<std::string> path = arguments.value("--output");
    if (!path) {
        complain(session.words.text("error.needs_output"), session);
        return exit_usage;
    }
    return record(*path, arguments, session);
}

}  // namespace whygpu
