#include <unistd.h>

#include "cli/commands.h"
#include "cli/session.h"
#include "drivers/ask.h"

namespace whygpu {

int run_ask(const Arguments& arguments, const Session& /*session*/) {
    return ask_driver(arguments.positionals.front(), STDOUT_FILENO);
}

}  // namespace whygpu
