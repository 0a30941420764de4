#include "host/snapshot.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "host/archive.h"
#include "host/ask.h"
#include "host/live.h"
#include "host/recording.h"
#include "host/temporary_folder.h"

namespace whygpu {

namespace {

using testing::HasSubstr;

constexpr const char* meta_json = R"({"schema":"whygpu.snapshot/1","whygpu":"0.1.0","redacted":true})";

const SnapshotMeta sample_meta{"0.1.0", "2026-12-01T12:00:00Z", true};

Records sample_records() {
    Records records;
    records[{QueryKind::file, "/binary"}].text = std::string("\0\x01\xff", 3);
    records[{QueryKind::file, "/text"}].text = "== tricky\n\\line\nend";
    records[{QueryKind::kernel_log, ""}] = {Missing::denied, "only root", "", 0, false};
    records[{QueryKind::command, "ldconfig -p"}] = {std::nullopt, "", "cut", 1, true};
    return records;
}

/// One entry of a hostile archive.
struct Planted {
    const char* name;
    mode_t type = AE_IFREG;
    const char* link = nullptr;
    bool hard = false;
    std::size_t size = 4;
};

std::string hostile_archive(const TemporaryFolder& folder, const std::vector<Planted>& planted) {
    const std::string path = folder / "hostile.whygpu";
    archive* writer = archive_write_new();
    archive_write_add_filter_zstd(writer);
    archive_write_set_format_pax_restricted(writer);
    EXPECT_EQ(archive_write_open_filename(writer, path.c_str()), ARCHIVE_OK);
    for (const Planted& item : planted) {
        archive_entry* entry = archive_entry_new();
        const bool has_data = item.type == AE_IFREG && !item.hard;
        archive_entry_set_pathname(entry, item.name);
        archive_entry_set_filetype(entry, item.type);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, has_data ? static_cast<la_int64_t>(item.size) : 0);
        if (item.hard) {
            archive_entry_set_hardlink(entry, item.link);
        } else if (item.link != nullptr) {
            archive_entry_set_symlink(entry, item.link);
        }
        EXPECT_EQ(archive_write_header(writer, entry), ARCHIVE_OK) << item.name;
        if (has_data) {
            const std::string zeros(item.size, ' ');
            archive_write_data(writer, zeros.data(), zeros.size());
        }
        archive_entry_free(entry);
    }
    archive_write_free(writer);
    return path;
}

TEST(Snapshot, RoundTripsAsFile) {
    const TemporaryFolder folder;
    const std::string path = folder / "a.whygpu";
    ASSERT_TRUE(write_snapshot_file(path, sample_meta, sample_records()).has_value());
    const Result<Snapshot> read = read_snapshot(path);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->records, sample_records());
    EXPECT_EQ(read->meta.whygpu_version, "0.1.0");
    EXPECT_EQ(read->meta.recorded, "2026-12-01T12:00:00Z");
    EXPECT_TRUE(read->meta.redacted);
}

TEST(Snapshot, RoundTripsAsFolder) {
    const TemporaryFolder folder;
    const std::string path = folder / "machine";
    ASSERT_TRUE(write_snapshot_folder(path, sample_meta, sample_records()).has_value());
    const Result<Snapshot> read = read_snapshot(path);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->records, sample_records());
    EXPECT_FALSE(write_snapshot_folder(path, sample_meta, {}).has_value()) << "it is not empty any more";
}

TEST(Snapshot, EqualRecordsGiveEqualFiles) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_snapshot_file(folder / "a", sample_meta, sample_records()).has_value());
    ASSERT_TRUE(write_snapshot_file(folder / "b", sample_meta, sample_records()).has_value());
    EXPECT_EQ(bytes_of(folder / "a"), bytes_of(folder / "b"));
}

TEST(Snapshot, IsPrivateAndReplacesOnlyRegularFiles) {
    const TemporaryFolder folder;
    const std::string path = folder.write("old.whygpu", "old");
    ASSERT_TRUE(write_snapshot_file(path, sample_meta, {}).has_value());
    struct stat status{};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600U);
    const std::string victim = folder.write("victim", "precious");
    std::filesystem::create_symlink("victim", folder / "link");
    EXPECT_FALSE(write_snapshot_file(folder / "link", sample_meta, {}).has_value());
    EXPECT_EQ(bytes_of(victim), "precious");
    EXPECT_FALSE(write_snapshot_file("/dev/null", sample_meta, {}).has_value());
    EXPECT_EQ(write_snapshot_file(folder / "none/x", sample_meta, {}).error().code, ErrorCode::not_found);
    // Neither success nor failure leaves a temporary file behind.
    const auto listing = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(listing), end(listing)), 3);
}

TEST(Snapshot, ReadsFilesOfAFolderInOrderAndFirstRecordWins) {
    const TemporaryFolder folder;
    folder.write("meta.json", meta_json);
    folder.write("20-base.answers", "== file /x\nbase\n== file /y\nbase\n");
    folder.write("10-change.answers", "== file /x\nchange\n");
    folder.write("README.md", "not read");
    const Result<Snapshot> read = read_snapshot(folder.path());
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->records.at({QueryKind::file, "/x"}).text, "change\n");
    EXPECT_EQ(read->records.at({QueryKind::file, "/y"}).text, "base\n");
}

TEST(Snapshot, NamesFileAndLineOfAnError) {
    const TemporaryFolder folder;
    folder.write("meta.json", meta_json);
    folder.write("a.answers", "== file /x\n==oops\n");
    EXPECT_THAT(read_snapshot(folder.path()).error().message, HasSubstr("a.answers: line 2"));
    folder.write("meta.json", R"({"schema":"whygpu.snapshot/9"})");
    EXPECT_EQ(read_snapshot(folder.path()).error().code, ErrorCode::unsupported);
    EXPECT_EQ(read_snapshot(folder / "none").error().code, ErrorCode::not_found);
    EXPECT_FALSE(read_snapshot(folder.write("x.whygpu", "garbage")).has_value());
    EXPECT_FALSE(read_snapshot(folder.write("empty.whygpu", "")).has_value());
}

TEST(Snapshot, FollowsNoLinkInAFolder) {
    const TemporaryFolder folder;
    folder.write("s/meta.json", meta_json);
    std::filesystem::create_symlink("/etc/passwd", folder / "s/a.answers");
    EXPECT_FALSE(read_snapshot(folder / "s").has_value());
}

TEST(Snapshot, RefusesHostileArchives) {
    const TemporaryFolder folder;
    const std::vector<std::vector<Planted>> archives = {
        {{"../meta.json"}},
        {{"/etc/meta.json"}},
        {{"folder/meta.json"}},
        {{".hidden"}},
        {{"meta.json", AE_IFLNK, "/etc/passwd"}},
        {{"a.answers"}, {"meta.json", AE_IFREG, "a.answers", true}},
        {{"meta.json", AE_IFIFO}},
        {{"folder", AE_IFDIR}},
        {{"meta.json"}, {"./meta.json"}},
    };
    for (const std::vector<Planted>& planted : archives) {
        const Result<std::vector<Member>> members = read_archive(hostile_archive(folder, planted));
        ASSERT_FALSE(members.has_value()) << planted.back().name;
        EXPECT_EQ(members.error().code, ErrorCode::invalid_input) << planted.back().name;
    }
    EXPECT_TRUE(read_archive(hostile_archive(folder, {{"./meta.json"}})).has_value());
}

TEST(Snapshot, BoundsWhatItUnpacks) {
    const TemporaryFolder folder;
    const std::size_t mebibyte = std::size_t{1} << 20;
    const std::string bomb =
        hostile_archive(folder, {{"a.answers", AE_IFREG, nullptr, false, 40 * mebibyte},
                                 {"b.answers", AE_IFREG, nullptr, false, 40 * mebibyte}});
    EXPECT_LT(std::filesystem::file_size(bomb), 200000U);
    EXPECT_EQ(read_archive(bomb).error().code, ErrorCode::too_large);
    std::vector<std::string> names;
    for (int number = 0; number < 65; ++number) {
        names.push_back(std::to_string(number) + ".answers");
    }
    std::vector<Planted> many;
    for (const std::string& name : names) {
        many.push_back({name.c_str()});
    }
    EXPECT_EQ(read_archive(hostile_archive(folder, many)).error().code, ErrorCode::too_large);
    EXPECT_EQ(make_archive({{"x.answers", std::string(65 * mebibyte, 'x')}}).error().code,
              ErrorCode::too_large);
}

TEST(Snapshot, SurvivesEveryTruncation) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_snapshot_file(folder / "whole", sample_meta, sample_records()).has_value());
    const std::string bytes = bytes_of(folder / "whole");
    for (std::size_t size = 0; size + 8 < bytes.size(); size += 7) {
        EXPECT_FALSE(read_snapshot(folder.write("part", bytes.substr(0, size))).has_value()) << size;
    }
}

class Replay : public testing::Test {
protected:
    std::unique_ptr<Host> host(const std::string& answers) {
        folder_.write("meta.json", meta_json);
        folder_.write("a.answers", answers);
        Result<std::unique_ptr<Host>> opened = open_snapshot(folder_.path());
        EXPECT_TRUE(opened.has_value());
        return opened ? std::move(*opened) : nullptr;
    }

    const TemporaryFolder folder_;
};

TEST_F(Replay, SaysWhatWasNotRecorded) {
    const auto machine = host("== file /x\nhere\n");
    const Answer answer = machine->answer({QueryKind::file, "/y"});
    EXPECT_EQ(answer.missing, Missing::not_asked);
    EXPECT_EQ(answer.because, "not recorded in this snapshot");
    EXPECT_EQ(machine->answer({QueryKind::variables, ""}).missing, Missing::not_asked);
}

TEST_F(Replay, ConcludesAbsenceFromListings) {
    const auto machine = host(
        "== directory /dev\nnull\nnvidia0\n"
        "== directory /cut [truncated]\na\n"
        "== directory /gone [absent: x]\n"
        "== directory /closed [denied: x]\n");
    EXPECT_TRUE(exists(*machine, "/dev/kfd").is(false));
    EXPECT_EQ(machine->answer({QueryKind::directory, "/dev/dri"}).missing, Missing::absent);
    EXPECT_EQ(machine->answer({QueryKind::link, "/dev/dri/by-path/x"}).missing, Missing::absent);
    EXPECT_EQ(machine->answer({QueryKind::file, "/gone/a/b"}).missing, Missing::absent);
    EXPECT_EQ(machine->answer({QueryKind::status, "/dev/nvidia0"}).missing, Missing::not_asked);
    EXPECT_EQ(machine->answer({QueryKind::file, "/cut/b"}).missing, Missing::not_asked);
    EXPECT_EQ(machine->answer({QueryKind::file, "/closed/b"}).missing, Missing::not_asked);
    EXPECT_EQ(machine->answer({QueryKind::file, "/dev/../etc/x"}).missing, Missing::not_asked);
    EXPECT_EQ(machine->answer({QueryKind::file, "/dev"}).missing, Missing::not_asked);
}

TEST_F(Replay, ConcludesAbsenceFromPrefixes) {
    const auto machine = host("== absent /proc/driver/nvidia\n== file /proc/driver/nvidia/version\nkept\n");
    EXPECT_EQ(machine->answer({QueryKind::file, "/proc/driver/nvidia/params"}).missing, Missing::absent);
    EXPECT_EQ(machine->answer({QueryKind::directory, "/proc/driver/nvidia"}).missing, Missing::absent);
    EXPECT_EQ(machine->answer({QueryKind::file, "/proc/driver/nvidia-uvm"}).missing, Missing::not_asked);
    EXPECT_EQ(machine->answer({QueryKind::file, "/proc/driver/nvidia/version"}).text, "kept\n");
    EXPECT_EQ(machine->answer({QueryKind::command, "/proc/driver/nvidia"}).missing, Missing::not_asked);
}

TEST(Recording, ReplaysWhatTheLiveMachineSaid) {
    const TemporaryFolder folder;
    const std::unique_ptr<Host> live = make_live_host(LiveOptions{});
    RecordingHost recorder(*live);
    const std::vector<Query> queries = {
        {QueryKind::file, "/proc/version"},
        {QueryKind::file, "/nonexistent"},
        {QueryKind::directory, "/sys/bus"},
        {QueryKind::link, "/proc/self"},
        {QueryKind::status, "/dev/null"},
        {QueryKind::user, ""},
        {QueryKind::platform, ""},
        {QueryKind::variables, ""},
        {QueryKind::command, "nvidia-smi -L"},
        {QueryKind::kernel_log, ""},
        {QueryKind::pci_name, "10de:2b85"},
        {QueryKind::file, "/proc/self/mem"},
        {QueryKind::file, "/proc/uptime"},
    };
    std::vector<Answer> answers;
    for (const Query& query : queries) {
        answers.push_back(recorder.answer(query));
    }
    ASSERT_TRUE(write_snapshot_file(folder / "live.whygpu", sample_meta, recorder.records()).has_value());
    const Result<std::unique_ptr<Host>> replay = open_snapshot(folder / "live.whygpu");
    ASSERT_TRUE(replay.has_value()) << replay.error().message;
    for (std::size_t index = 0; index < queries.size(); ++index) {
        EXPECT_EQ((*replay)->answer(queries[index]), answers[index]) << queries[index].argument;
        EXPECT_EQ(recorder.answer(queries[index]), answers[index]) << "asked again";
    }
}

TEST(Recording, TakesQuestionsFromManyThreads) {
    const std::unique_ptr<Host> live = make_live_host(LiveOptions{});
    RecordingHost recorder(*live);
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) {
        threads.emplace_back([&recorder, number] {
            for (int round = 0; round < 50; ++round) {
                recorder.answer(
                    {QueryKind::file, "/nonexistent/" + std::to_string(round * (number + 1) % 60)});
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_GE(recorder.records().size(), 50U);
    EXPECT_LE(recorder.records().size(), 60U);
}

}  // namespace

}  // namespace whygpu
