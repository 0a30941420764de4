#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "judge/assume.h"
#include "judge/collect.h"
#include "judge/judge.h"

namespace whygpu {

namespace {

bool reaches(const Finding& finding, const std::string& threshold) {
    if (threshold == "never") {
        return false;
    }
    return finding.severity == Severity::error ||
           (threshold == "warning" && finding.severity == Severity::warning);
}

int exit_code_of(const Diagnosis& diagnosis, const Arguments& arguments) {
    const std::string threshold = arguments.value("--fail-on").value_or("warning");
    const bool found = std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(),
                                   [&](const Finding& finding) { return reaches(finding, threshold); });
    if (found) {
        return exit_findings;
    }
    const bool gaps = arguments.has("--strict") && diagnosis.counts.unknown > 0;
    return diagnosis.health == Health::unknown || gaps ? exit_blind : exit_ok;
}

std::string rendered(const Report& report, const Arguments& arguments, const Session& session) {
    const std::string format = arguments.value("--format").value_or("text");
    if (format == "json") {
        return render_json(report);
    }
    if (format == "md") {
        return render_markdown(report, session.words);
    }
    if (format == "script") {
        return render_script(report, session.words);
    }
    const bool silent = arguments.has("--quiet") && report.findings.empty();
    return silent ? "" : render_text(report, session.words, chosen_style(arguments, session.words.lang()));
}

long long elapsed_ms(const Session& session) {
    const auto elapsed = std::chrono::steady_clock::now() - session.started;
    return std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
}

struct Prepared {
    UnitLibrary units;
    Knowledge tables;
    Machine machine;
    std::chrono::steady_clock::time_point deadline;
};

Result<Prepared> prepare(const Arguments& arguments, const Session& session) {
    Result<UnitLibrary> units = UnitLibrary::load();
    if (!units) {
        return fail(ErrorCode::internal, units.error().message);
    }
    Result<Knowledge> tables = load_knowledge(arguments);
    if (!tables) {
        return fail(tables.error(), "tables");
    }
    Result<Machine> machine = open_machine(arguments);
    if (!machine) {
        return fail(ErrorCode::io, machine.error().message);  // whatever the reason: nothing to look at
    }
    Result<std::chrono::steady_clock::time_point> deadline = deadline_of(arguments, session);
    if (!deadline) {
        return tl::unexpected<Error>(deadline.error());
    }
    return Prepared{std::move(*units), std::move(*tables), std::move(*machine), *deadline};
}

}  // namespace

int run_doctor(const Arguments& arguments, const Session& session) {
    Result<Prepared> prepared = prepare(arguments, session);
    if (!prepared) {
        complain(prepared.error().message, session);
        const bool ours = prepared.error().code == ErrorCode::internal;
        return ours                                                ? exit_internal
               : prepared.error().code == ErrorCode::invalid_input ? exit_usage
                                                                   : exit_blind;
    }
    Facts facts = collect(prepared->machine.host, prepared->units.probes(), prepared->deadline);
    for (const std::string& term : arguments.values("--assume")) {
        if (const Result<void> assumed = assume(facts, prepared->tables, term); !assumed) {
            complain(assumed.error().message, session);
            return exit_usage;
        }
    }
    const RuleFilter filter{arguments.values("--only"), arguments.values("--skip")};
    const Diagnosis diagnosis = judge(facts, prepared->tables, prepared->units.rules(), filter);
    const int code = exit_code_of(diagnosis, arguments);

    ReportContext context;
    context.command = "doctor";
    context.replay = prepared->machine.replay;
    context.assumed = join(arguments.values("--assume"), ", ");
    context.redact = !arguments.has("--no-redact");
    context.elapsed_ms = elapsed_ms(session);
    const Report report =
        make_report(facts, prepared->tables, diagnosis, prepared->units, session.words, context);
    return write_output(rendered(report, arguments, session), arguments, session) ? code : exit_blind;
}

}  // namespace whygpu
