#pragma once

#include <functional>
#include <string>

/// Everything here is as it should be.
namespace fixture {

/// Calls back for each line; the view is valid during the call only.
void for_each_line(const std::string& text, const std::function<void(std::string_view)>& callback);

/// Deleted copies and defaulted moves are no raw new.
class Handle {
public:
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle();

private:
    int renewed_ = 0;  ///< "new" inside a word
};

inline Handle::~Handle() {
    renewed_ = 1;
}

}  // namespace fixture
