// From facts to a report, for a healthy machine: every rule has its facts and looks at them.

#include <benchmark/benchmark.h>

#include "base/json.h"
#include "facts/access.h"
#include "facts/facts.h"
#include "judge/judge.h"
#include "knowledge/knowledge.h"
#include "report/render.h"
#include "units/library.h"

namespace whygpu {
namespace {

constexpr const char* healthy = R"(
[os]
id = "ubuntu"
like = "debian"
version = "24.04"
name = "Ubuntu 24.04.1 LTS"
architecture = "x86_64"
hypervisor = "none"
jetson = false
user_id = 1000
groups = ["adm", "sudo", "video", "render"]
[kernel]
release = "6.8.0-64-generic"
command_line = "BOOT_IMAGE=/boot/vmlinuz-6.8.0-64-generic root=/dev/sda1 ro quiet"
secure_boot = false
lockdown = "none"
headers_installed = true
[modules]
loaded = ["nvidia_uvm", "nvidia_drm", "nvidia_modeset", "nvidia", "snd", "ext4"]
nvidia_version = "580.95.05"
nvidia_available = ["/lib/modules/6.8.0-64-generic/updates/dkms/nvidia.ko.zst"]
nvidia_other_kernels = []
dkms_nvidia = ["580.95.05"]
amdgpu_built_in = false
[wsl]
inside = false
dxg_node = false
driver_libraries = []
linux_driver_files = []
[container]
inside = false
engine = {missing = "absent", because = "no container"}
visible_devices = {missing = "absent", because = "not set"}
driver_capabilities = {missing = "absent", because = "not set"}
gpu_mounts = []
[[pci.gpus]]
address = "0000:01:00.0"
vendor_id = "10de"
device_id = "2b85"
class_code = "030000"
name = "GB202 [GeForce RTX 5090]"
driver = "nvidia"
link_width = 16
link_width_max = 16
link_speed_gts = 32.0
link_speed_max_gts = 32.0
slot_width_max = 16
numa_node = 0
[[nodes.nodes]]
path = "/dev/nvidiactl"
mode = "0666"
owner_group = "root"
usable = true
[[nodes.nodes]]
path = "/dev/nvidia0"
mode = "0666"
owner_group = "root"
usable = true
[nvidia]
kernel_version = "580.95.05"
kernel_flavour = "open"
library_file = "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05"
library_version = "580.95.05"
smi_installed = true
packages = ["nvidia-driver-580-open 580.95.05"]
[amd]
kfd_nodes = []
module_version = {missing = "absent", because = "not loaded"}
[cuda]
library = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
init_code = 0
init_name = "CUDA_SUCCESS"
driver_cuda = "13.0"
context_code = 0
copy_code = 0
kernel_code = 0
failed_call = {missing = "absent", because = "no call crashed or hung"}
[[cuda.devices]]
name = "NVIDIA GeForce RTX 5090"
compute_capability = "12.0"
memory_bytes = 34190917632
pci_address = "0000:01:00.0"
[nvml]
library = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1"
init_code = 0
init_name = "NVML_SUCCESS"
driver_version = "580.95.05"
nvml_version = "13.580.95.05"
driver_cuda = "13.0"
failed_call = {missing = "absent", because = "no call crashed or hung"}
[[nvml.devices]]
name = "NVIDIA GeForce RTX 5090"
pci_address = "00000000:01:00.0"
compute_capability = "12.0"
memory_total_bytes = 34190917632
memory_used_bytes = 402653184
temperature_c = 41
slowdown_temperature_c = 90
power_w = 35.5
power_limit_w = 575.0
sm_clock_mhz = 210
sm_clock_max_mhz = 3090
clock_reasons = ["gpu_idle"]
link_generation = 5
link_generation_max = 5
link_width = 16
link_width_max = 16
utilisation_percent = 0
mig_mode = "disabled"
compute_mode = "default"
process_count = 0
[services]
nvswitch_count = 0
fabric_manager = "not-installed"
fabric_manager_version = {missing = "absent", because = "not installed"}
[toolkit]
nvcc = "/usr/local/cuda-12.8/bin/nvcc"
cuda_library_dirs = ["/usr/local/cuda-12.8/lib64"]
searched_dirs = ["/usr/local/cuda-12.8/lib64"]
cached_cuda_libraries = []
rocm = []
[[toolkit.cuda]]
path = "/usr/local/cuda-12.8"
version = "12.8"
[[environment.variables]]
name = "CUDA_HOME"
value = "/usr/local/cuda-12.8"
[kernel_log]
messages = []
[python]
interpreter = "/opt/venv/bin/python"
version = "3.12"
externally_managed = false
torch_version = "2.8.0+cu128"
torch_cuda = "12.8"
torch_hip = "none"
tensorflow_version = {missing = "absent", because = "not installed"}
tensorflow_cuda = {missing = "absent", because = "not installed"}
jax_version = {missing = "absent", because = "not installed"}
jax_cuda = {missing = "absent", because = "not installed"}
[[python.packages]]
name = "torch"
version = "2.8.0+cu128"
location = "/opt/venv/lib/python3.12/site-packages"
)";

// Ends the run with the reason where the text above no longer fits the facts.
Facts healthy_facts(benchmark::State& state) {
    Facts facts;
    const Result<Json> tree = parse_toml(healthy);
    const Result<void> assigned = tree ? assign_facts(facts, *tree) : tl::unexpected<Error>(tree.error());
    if (!assigned) {
        state.SkipWithError(assigned.error().message.c_str());
    }
    return facts;
}

struct Loaded {
    Knowledge tables = Knowledge::load().value();
    UnitLibrary units = UnitLibrary::load().value();
    Catalogue words = Catalogue::load(Lang::en).value();
};

void judge_healthy(benchmark::State& state) {
    const Facts facts = healthy_facts(state);
    const Loaded loaded;
    Counts counts;
    for (auto _ : state) {
        const Diagnosis diagnosis = judge(facts, loaded.tables, loaded.units.rules(), RuleFilter{});
        counts = diagnosis.counts;
        benchmark::DoNotOptimize(counts.clear);
    }
    state.counters["rules"] = static_cast<double>(loaded.units.rules().size());
    state.counters["unknown"] = counts.unknown;
    state.counters["fired"] = counts.fired;
}
BENCHMARK(judge_healthy)->Unit(benchmark::kMicrosecond);

template <class Render>
void render(benchmark::State& state, Render render_one) {
    const Facts facts = healthy_facts(state);
    const Loaded loaded;
    const Diagnosis diagnosis = judge(facts, loaded.tables, loaded.units.rules(), RuleFilter{});
    for (auto _ : state) {
        const Report report = make_report(facts, loaded.tables, diagnosis, loaded.units, loaded.words,
                                          ReportContext{"doctor", false, true, 0});
        benchmark::DoNotOptimize(render_one(report, loaded.words).size());
    }
}

void report_text(benchmark::State& state) {
    render(state, [](const Report& report, const Catalogue& words) {
        return render_text(report, words, TextStyle{});
    });
}
BENCHMARK(report_text)->Unit(benchmark::kMicrosecond);

void report_json(benchmark::State& state) {
    render(state, [](const Report& report, const Catalogue&) { return render_json(report); });
}
BENCHMARK(report_json)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace whygpu
