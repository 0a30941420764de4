#pragma once

#include <utility>
#include <vector>

#include "facts/drivers.h"
#include "host/driver_answer.h"

// What the probes of driver children share. No unit: helpers of this folder are headers.

namespace whygpu::probes {

/// The device nodes that a driver child could not open, as facts.
inline Known<std::vector<NodeError>> node_errors_of(const DriverAnswer& answer) {
    const Known<std::vector<DriverAnswer::NodeError>> found = answer.node_errors();
    if (!found) {
        return Known<std::vector<NodeError>>::missing_like(found);
    }
    std::vector<NodeError> errors;
    for (const DriverAnswer::NodeError& each : *found) {
        errors.push_back(
            {Known<std::string>(each.path, each.source), Known<std::string>(each.error, each.source)});
    }
    return Known<std::vector<NodeError>>(std::move(errors), found.source());
}

}  // namespace whygpu::probes
