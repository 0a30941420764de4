#include "drivers/ask.h"

#include <unistd.h>

#include "drivers/cuda.h"
#include "drivers/nvml.h"
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

}  // namespace

int ask_driver(std::string_view name, int output_fd) {
    if (name != "cuda" && name != "nvml") {
        return 2;
    }
    const OwnOutput output(output_fd);
    Reply reply(output.fd());
    if (name == "cuda") {
        ask_cuda(reply);
    } else {
        ask_nvml(reply);
    }
    return 0;
}

}  // namespace whygpu
