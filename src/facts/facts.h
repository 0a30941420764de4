#pragma once

#include "facts/containers.h"
#include "facts/devices.h"
#include "facts/drivers.h"
#include "facts/other_drivers.h"
#include "facts/software.h"
#include "facts/system.h"

namespace whygpu {

/// Everything that is known about a machine: one section for each probe unit, which alone fills it.
struct Facts {
    OsFacts os;
    KernelFacts kernel;
    ModuleFacts modules;
    WslFacts wsl;
    ContainerFacts container;
    PciFacts pci;
    NodeFacts nodes;
    NvidiaFacts nvidia;
    AmdFacts amd;
    CudaFacts cuda;
    NvmlFacts nvml;
    ServiceFacts services;
    ToolkitFacts toolkit;
    EnvironmentFacts environment;
    KernelLogFacts kernel_log;
    PythonFacts python;
    HipFacts hip;
    OpenClFacts opencl;
    ContainerHostFacts container_host;
    LoaderFacts loader;
    CpuFacts cpu;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit("os", &Facts::os);
        visit("kernel", &Facts::kernel);
        visit("modules", &Facts::modules);
        visit("wsl", &Facts::wsl);
        visit("container", &Facts::container);
        visit("pci", &Facts::pci);
        visit("nodes", &Facts::nodes);
        visit("nvidia", &Facts::nvidia);
        visit("amd", &Facts::amd);
        visit("cuda", &Facts::cuda);
        visit("nvml", &Facts::nvml);
        visit("services", &Facts::services);
        visit("toolkit", &Facts::toolkit);
        visit("environment", &Facts::environment);
        visit("kernel_log", &Facts::kernel_log);
        visit("python", &Facts::python);
        visit("hip", &Facts::hip);
        visit("opencl", &Facts::opencl);
        visit("container_host", &Facts::container_host);
        visit("loader", &Facts::loader);
        visit("cpu", &Facts::cpu);
    }
};

}  // namespace whygpu
