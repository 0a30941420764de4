#include "drivers/ask.h"

#include <unistd.h>

#include <array>

#include "drivers/cuda.h"
#include "drivers/hip.h"
#include "drivers/nvml.h"
#include "drivers/opencl.h"
#include "drivers/reply.h"

namespace whygpu {

namespace {

// Driver libraries print messages of their own. While this lives, whatever they write to standard
// output goes to standard error, so that it cannot cut into a line of the reply.
class OwnOutput {
public:
    explicit OwnOutput(int fd) : original_fd_(fd), private_fd_(dup(fd)) {
        if (private_fd_ >= 0 && original_fd_ == STDOUT_FILENO) {
            dup2(STDERR_FILENO, STDOUT_FILENO);
        }
    }
    OwnOutput(const OwnOutput&) = delete;
    OwnOutput& operator=(const OwnOutput&) = delete;
    ~OwnOutput() {
        if (private_fd_ >= 0) {
            dup2(private_fd_, original_fd_);
            close(private_fd_);
        }
    }
    int fd() const { return private_fd_ >= 0 ? private_fd_ : original_fd_; }

private:
    int original_fd_;
    int private_fd_;
};

struct Question {
    std::string_view name;
    void (*ask)(const Reply& reply);
};
constexpr auto questions = std::to_array<Question>({
    {"cuda", ask_cuda},
    {"nvml", ask_nvml},
    {"hip", ask_hip},
    {"opencl", ask_opencl},
});

}  // namespace

int ask_driver(std::string_view name, int output_fd) {
    for (const Question& question : questions) {
        if (question.name == name) {
            const OwnOutput output(output_fd);
            const Reply reply(output.fd());
            question.ask(reply);
            return 0;
        }
    }
    return 2;
}

}  // namespace whygpu
