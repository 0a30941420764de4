// Of the configuration of container engines a snapshot keeps what tells of GPUs, and nothing of registries.

#include "host/redact_containers.h"

#include <gtest/gtest.h>

#include "host/redact.h"

namespace whygpu {
namespace {

const std::string daemon_path = "/etc/docker/daemon.json";
const std::string containerd_path = "/etc/containerd/config.toml";

std::string redacted(const std::string& path, const std::string& text) {
    Answer answer;
    answer.text = text;
    return Redactor(OwnNames{}).redact(Query{QueryKind::file, path}, answer).text;
}

TEST(RedactContainers, OfDockerOnlyWhatTellsOfGpus) {
    const std::string kept = redacted(
        daemon_path,
        R"({"registry-mirrors": ["https://mirror.corp.example"], "proxies": {"http-proxy": "http://me:pw@proxy"},
            "default-runtime": "nvidia", "runtimes": {"nvidia": {"path": "nvidia-container-runtime", "args": ["--key=x"]}},
            "features": {"cdi": true}})");
    EXPECT_EQ(kept.find("corp"), std::string::npos);
    EXPECT_EQ(kept.find("proxy"), std::string::npos);
    EXPECT_EQ(kept.find("--key"), std::string::npos);
    EXPECT_NE(kept.find(R"("default-runtime": "nvidia")"), std::string::npos);
    EXPECT_NE(kept.find(R"("path": "nvidia-container-runtime")"), std::string::npos);
    EXPECT_NE(kept.find(R"("cdi": true)"), std::string::npos);
    EXPECT_EQ(redacted(daemon_path, kept), kept);
}

TEST(RedactContainers, WhatCannotBeReadStaysUnreadable) {
    EXPECT_EQ(redacted(daemon_path, R"({"proxies": {"http-proxy": "http://proxy.corp")"), "unreadable\n");
    EXPECT_EQ(redacted(daemon_path, "unreadable\n"), "unreadable\n");
    EXPECT_EQ(redacted(daemon_path, ""), "");
}

TEST(RedactContainers, OfContainerdTheRuntimes) {
    const std::string kept = redacted(containerd_path, R"(version = 2
[plugins."io.containerd.grpc.v1.cri".containerd]
  default_runtime_name = "nvidia"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
[plugins."io.containerd.grpc.v1.cri".registry.configs."registry.corp.example".auth]
  username = "me"
  auth = "aGVsbG8="
)");
    EXPECT_EQ(kept, R"(version = 2
  default_runtime_name = "nvidia"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
)");
    EXPECT_EQ(redacted(containerd_path, kept), kept);
}

TEST(RedactContainers, OtherFilesAreNotTouched) {
    EXPECT_FALSE(is_container_configuration("/etc/nvidia-container-runtime/config.toml"));
    EXPECT_TRUE(is_container_configuration("/etc/containerd/conf.d/99-nvidia.toml"));
    EXPECT_TRUE(is_container_configuration("/var/lib/rancher/k3s/agent/etc/containerd/config.toml"));
}

}  // namespace
}  // namespace whygpu
