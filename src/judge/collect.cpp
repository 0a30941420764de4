#include "judge/collect.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "facts/access.h"

namespace whygpu {

namespace {

// What the threads share; kept alive by whoever is left.
struct Board {
    std::mutex mutex;
    std::condition_variable changed;
    Facts facts;
    std::vector<bool> done;
    std::size_t open = 0;
};

void run_probe(const std::shared_ptr<Board>& board, const std::shared_ptr<Host>& host, std::size_t index,
               ProbeFunction probe, const std::string& section) {
    Facts own;
    try {
        probe(*host, own);
    } catch (const std::exception& error) {
        // A bug in a probe (or memory exhausted) loses its section, not the run.
        forget_section(own, section, Missing::crashed,
                       std::string("internal error in its probe: ") + error.what());
    }
    const std::lock_guard<std::mutex> lock(board->mutex);
    copy_section(own, board->facts, section);
    board->done[index] = true;
    --board->open;
    board->changed.notify_all();
}

}  // namespace

Facts collect(const std::shared_ptr<Host>& host, const std::vector<ProbeUnit>& probes,
              std::chrono::steady_clock::time_point deadline) {
    const auto board = std::make_shared<Board>();
    board->done.assign(probes.size(), false);
    board->open = probes.size();
    for (std::size_t index = 0; index < probes.size(); ++index) {
        std::thread(run_probe, board, host, index, probes[index].probe, probes[index].document.section)
            .detach();
    }
    std::unique_lock<std::mutex> lock(board->mutex);
    board->changed.wait_until(lock, deadline, [&] { return board->open == 0; });
    Facts facts = board->facts;
    for (std::size_t index = 0; index < probes.size(); ++index) {
        if (!board->done[index]) {
            forget_section(facts, probes[index].document.section, Missing::timed_out,
                           "no answer within the time-out");
        }
    }
    return facts;
}

}  // namespace whygpu
