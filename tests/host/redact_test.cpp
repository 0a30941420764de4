#include "host/redact.h"

#include <gmock/gmock.h>

#include <chrono>

#include "base/text.h"
#include "host/redact_addresses.h"

namespace whygpu {

namespace {

using testing::HasSubstr;
using testing::Not;

const Redactor redactor(OwnNames{"trinity.lab.example.org", "alice", "/home/alice"});

Answer text_answer(const std::string& text) {
    Answer answer;
    answer.text = text;
    return answer;
}

std::string redacted_file(const std::string& path, const std::string& text) {
    return redactor.redact({QueryKind::file, path}, text_answer(text)).text;
}

// Secrets are put together here so that no scanner takes the test itself for a leak.
struct Secret {
    std::string before;
    std::string secret;
    std::string after = {};
};

const std::vector<Secret> secrets = {
    {"host ", "trinity", " is up"},
    {"Hostname set to <", "trinity.lab.example.org", ">."},
    {"session opened for user ", "alice", " by (uid=0)"},
    {"CUDA_CACHE_PATH=/home/", "alice", "/.nv"},
    {"/home/", "bob", "/project/train.py"},
    {"/mnt/c/Users/", "Jane Doe", "/AppData"},
    {"C:\\Users\\", "jane", "\\x"},
    {"nfs: server ", "10.11.12.13", " not responding"},
    {"NCCL_COMM_ID=", "192.168.7.9", ":5000"},
    {"route ", "10.20.0.0", "/16"},
    {"range ", "172.16.0.1", "-172.16.0.99"},
    {"NVIDIA_HOST=", "10.3.5.147"},
    {"inet6 ", "fe80::a00:27ff:fe4e:66a1", "/64"},
    {"node:", "2001:db8::5", " up"},
    {"full ", "2001:0db8:0000:0000:0000:ff00:0042:8329"},
    {"eth0: ", "a0:36:9f:12:34:56", ", 1000baseT"},
    {"bridge ", "a0-36-9f-12-34-56"},
    {"GUID ", "0c:42:a1:03:00:51:2f:9e"},
    {"GPU UUID: GPU-", "5a3b2c1d-1111-2222-3333-444455556666"},
    {"MIG-", "7a3b2c1d-1111-2222-3333-44445555aaaa", "/1/0"},
    {"root=UUID=", "0f3b2c1d-1111-2222-3333-44445555bbbb", " ro"},
    {"Serial Number                         : ", "1650522010823"},
    {"{\"call\":\"nvmlDeviceGetSerial\",\"value\":\"", "1322621012345", "\"}"},
    {"usb 1-1: SerialNumber: ", "4C530001230609116423"},
    {"mail ", "jane.doe+gpu@corp.example.com", " about it"},
    {"HF_TOKEN=",
     "hf_"
     "AbCdEfGhIjKlMnOpQrStUvWx"},
    {"remote ",
     "ghp_"
     "16C7e42F292c6912E7710c838347Ae178B4a"},
    {"remote ",
     "github_pat_"
     "11ABCDEFG0abcdefghij_klmnopqrstuv"},
    {"openai ",
     "sk-"
     "proj-abcdefghijklmnop1234567890"},
    {"aws ",
     "AKIA"
     "IOSFODNN7EXAMPLE"},
    {"slack ",
     "xoxb-"
     "123456789012-abcdefABCDEF"},
    {"jwt ",
     "eyJ"
     "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9"},
    {"wandb ", "0123456789abcdef0123456789abcdef01234567"},
    {"DB_PASSWORD=", "hunter2", " next"},
    {"\"password\": \"", "correct horse battery", "\""},
    {"{\\\"token\\\": \\\"", "abc123def", "\\\"}"},
    {"access_token: ", "zzTop99"},
    {"api-key=", "k3y"},
    {"?key=", "Qwerty123", "&x=1"},
    {"Authorization: Basic ", "dXNlcjpwYXNz"},
    {"curl -H 'Bearer ", "abcdefgh12345678", "'"},
    {"https://", "deploy:s3cr3t@", "git.example.net/x.git"},
    {"ssh-ed25519 ", "AAAAC3NzaC1lZDI1NTE5AAAAIJx3", " x@y"},
    {"fingerprint ", "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"},
    {"", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
     "\nafter"},
    {"", "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA", ""},
};

TEST(Redact, TakesOutEverySecret) {
    ASSERT_GE(secrets.size(), 25U);
    for (const Secret& item : secrets) {
        const std::string text = item.before + item.secret + item.after + "\n";
        const std::string clean = redactor.redact(text);
        EXPECT_THAT(clean, Not(HasSubstr(item.secret))) << text;
        EXPECT_EQ(redactor.redact(clean), clean) << "redacting twice changes nothing";
    }
}

TEST(Redact, FindsThemAllInOneText) {
    std::string text;
    for (const Secret& item : secrets) {
        text += item.before + item.secret + item.after + "\n";
    }
    const std::string clean = redactor.redact(text);
    for (const Secret& item : secrets) {
        EXPECT_THAT(clean, Not(HasSubstr(item.secret)));
    }
    EXPECT_THAT(clean, HasSubstr("session opened for user <user> by (uid=0)"));
    EXPECT_THAT(clean, HasSubstr("inet6 <ip>/64"));
    EXPECT_THAT(clean, HasSubstr("DB_PASSWORD=<secret> next"));
    EXPECT_THAT(clean, HasSubstr("\"password\": \"<secret>\""));
}

TEST(Redact, LeavesEvidenceAlone) {
    const char* evidence[] = {
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build",
        "Linux version 6.8.0-64-generic (buildd@lcy02-amd64-083) (x86_64-linux-gnu-gcc-13 (Ubuntu 13.3.0))",
        "6.9.0-rc3-g1a2b3c4d5e6f #1 SMP PREEMPT_DYNAMIC",
        "[   12.345678] NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.",
        "pci 0000:01:00.0: [10de:2b85] type 00 class 0x030000",
        "pci 0000:00:01.1: bridge window [mem 0x4000000000-0x4fffffffff 64bit pref]",
        "0000:01:00.0 NVIDIA Corporation GB202 [GeForce RTX 5090]",
        "Video BIOS: \t 98.02.2e.40.b3",
        "Video BIOS: 96.02.26.00.01",
        "nvidia-curand-cu12 10.3.5.147",
        "nvidia-curand-cu12==10.3.5.147",
        "nvidia_curand_cu12-10.3.5.147.dist-info",
        "Version: 12.4.5.8",
        "libcublas.so.12.4.5.8",
        "linux-modules-nvidia-550-4.18.0.372=4.18.0.372-1",
        "DCH driver version 32.0.15.7652",
        "driver version 32.0.15.76",
        "MASTER_ADDR=127.0.0.1",
        "listening on 0.0.0.0:8080 and ::1",
        "torch 2.6.0+cu124",
        "tokenizers==0.15.0 max_tokens=4096",
        "Mon Dec  1 12:34:56 2026",
        "at::native::add c10::Error std::vector",
        "serial8250: ttyS0 at I/O 0x3f8 (irq = 4, base_baud = 115200) is a 16550A",
        "Serial: 8250/16550 driver, 32 ports",
        "usb 1-1: New USB device strings: Mfr=1, Product=2, SerialNumber=3",
        "Loaded getty@tty1.service and nvidia-persistenced.service",
        "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
        "-rw-r--r-- root root /root/.bashrc nvidia cuda",
        "{\"call\":\"cuDeviceTotalMem\",\"code\":0,\"bytes\":34190458880}",
        "NVRM: API mismatch: the client has the version 570.86.10, but this kernel module 550.54.14",
        "00:00.0 12:34 1:2:3",
        "BAR 1: assigned [mem 0x38000000000-0x38ffffffff]",
    };
    for (const char* line : evidence) {
        EXPECT_EQ(redactor.redact(std::string(line)), line);
    }
}

TEST(Redact, KeepsEqualUuidsEqual) {
    const std::string text = redactor.redact(
        std::string("GPU-5a3b2c1d-1111-2222-3333-444455556666\nGPU-5A3B2C1D-1111-2222-3333-444455556666\n"
                    "GPU-6a3b2c1d-1111-2222-3333-444455556666"));
    const auto lines = lines_of(text);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], lines[1]);
    EXPECT_NE(lines[0], lines[2]);
    EXPECT_TRUE(lines[0].starts_with("GPU-<uuid:"));
}

TEST(Redact, ReplacesHomeAsAWholePath) {
    EXPECT_EQ(redactor.redact(std::string("/home/alice/venv:/home/alice2/venv:/home/alice")),
              "<home>/venv:/home/<user>/venv:<home>");
    const Query query = redactor.redact(Query{QueryKind::file, "/home/alice/venv/pyvenv.cfg"});
    EXPECT_EQ(query.argument, "<home>/venv/pyvenv.cfg");
    const Query device{QueryKind::link, "/sys/bus/pci/devices/0000:01:00.0/driver"};
    EXPECT_EQ(redactor.redact(device), device);
    const Query command{QueryKind::command, "systemctl show nvidia-fabricmanager.service"};
    EXPECT_EQ(redactor.redact(command), command);
}

TEST(Redact, LeavesNamesAloneThatIdentifyNobody) {
    const Redactor common(OwnNames{"ubuntu", "nvidia", "/root"});
    const std::string text = "/root/x Ubuntu nvidia 570.86.10";
    EXPECT_EQ(common.redact(text), text);
    const Redactor nameless(OwnNames{});
    EXPECT_EQ(nameless.redact(text), text);
}

TEST(Redact, KeepsOnlyVariablesThatSteerGpus) {
    const std::string environment =
        "AWS_SECRET_ACCESS_KEY=abc\nCUDA_VISIBLE_DEVICES=0,1\nHOME=/home/alice\nHOSTNAME=trinity\n"
        "KUBERNETES_SERVICE_HOST=10.96.0.1\nLD_LIBRARY_PATH=/home/alice/lib:/usr/lib\nMAIL=/var/mail/alice\n"
        "NVIDIA_API_KEY=nvapi-x\nSLURM_JOB_GPUS=0\nSLURM_JOB_USER=alice\nSSH_CLIENT=1.2.3.4\ncontainer="
        "docker\n";
    const Answer answer = redactor.redact({QueryKind::variables, ""}, text_answer(environment));
    EXPECT_EQ(answer.text,
              "CUDA_VISIBLE_DEVICES=0,1\nHOME=<home>\nKUBERNETES_SERVICE_HOST=<ip>\n"
              "LD_LIBRARY_PATH=<home>/lib:/usr/lib\nSLURM_JOB_GPUS=0\ncontainer=docker\n");
}

TEST(Redact, HidesAccountsAndIdentifierFiles) {
    EXPECT_EQ(redacted_file("/etc/group", "root:x:0:\nrender:x:109:alice,bob\nalice:x:1000:\nbob:x:1001:\n"),
              "root:x:0:\nrender:x:109:<user>,<other>\n<user>:x:1000:\n");
    EXPECT_EQ(redacted_file("/etc/passwd",
                            "root:x:0:0:root:/root:/bin/sh\nbob:x:1001:1001:Bob B:/home/bob:/bin/sh\n"),
              "root:x:0:0::/root:/bin/sh\n");
    EXPECT_EQ(redacted_file("/sys/class/dmi/id/product_serial", "SGH-7\n"), "<serial>\n");
    EXPECT_EQ(redactor.redact({QueryKind::directory, "/home"}, text_answer("alice\nbob\n")).text, "<user>\n");
}

TEST(Redact, CleansReasonsAndKeepsTheRest) {
    Answer answer;
    answer.missing = Missing::denied;
    answer.because = "/home/alice/x: Permission denied";
    answer.exit_code = 4;
    answer.truncated = true;
    const Answer clean = redactor.redact({QueryKind::file, "/home/alice/x"}, answer);
    EXPECT_EQ(clean.because, "<home>/x: Permission denied");
    EXPECT_EQ(clean.missing, Missing::denied);
    EXPECT_EQ(clean.exit_code, 4);
    EXPECT_TRUE(clean.truncated);
}

TEST(Redact, IsNotStoppedByBadUtf8) {
    EXPECT_THAT(redactor.redact(std::string("\xff\xfe alice \x80 10.1.2.3 \xc3")),
                Not(HasSubstr("10.1.2.3")));
    EXPECT_THAT(redactor.redact(std::string("\xff\xfe alice \x80")), HasSubstr("<user>"));
}

// A fuzzer's find: the mark of the first uncovers the second, which a later run would take.
TEST(Redact, IsDoneAfterOneRun) {
    for (const std::string text :
         {"getty@tty0.ser10.0.0.1%22 f", "mail me@example.org10.20.30.40", "key=a:b://token= me@x.yy"}) {
        const std::string once = redactor.redact(text);
        EXPECT_EQ(redactor.redact(once), once) << text;
    }
    EXPECT_EQ(redactor.redact(std::string("getty@tty0.ser10.0.0.1%22 f")), "<email><ip>%22 f");
}

TEST(Redact, StaysLinearOnHostileText) {
    const char* pieces[] = {"-----BEGIN ", "://a:b", "key=\"", "serial",   "a@", "/Users/a b", "1.1.1.1-",
                            "::",          "ab:",    "eyJ",    "password", "a.", "alic",       "/home/alice"};
    for (const char* piece : pieces) {
        std::string text;
        while (text.size() < (std::size_t{1} << 18)) {
            text += piece;
        }
        const auto start = std::chrono::steady_clock::now();
        redactor.redact(text);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        // Quadratic behaviour would take minutes; the margin is for slow builds with sanitizers.
        EXPECT_LT(seconds.count(), 10.0) << piece;
    }
}

}  // namespace

}  // namespace whygpu
