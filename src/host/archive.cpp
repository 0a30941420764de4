#include "host/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "host/descriptor.h"
#include "host/files.h"

// A snapshot comes from a stranger's machine by mail or from an issue. Nothing of it is ever written
// to disk: members are read into memory under the limits, which also bound what a decompression bomb
// can do. Only tar and zstd are switched on in libarchive, so no other of its parsers can be reached.

namespace whygpu {

namespace {

using Reader = std::unique_ptr<archive, int (*)(archive*)>;
using Writer = std::unique_ptr<archive, int (*)(archive*)>;
using Entry = std::unique_ptr<archive_entry, void (*)(archive_entry*)>;

constexpr std::size_t block_bytes = 65536;

std::string message_of(archive* handle) {
    const char* text = archive_error_string(handle);
    return text == nullptr ? "damaged archive" : text;
}

tl::unexpected<Error> too_large() {
    return fail(ErrorCode::too_large, "more than " + std::to_string(members_limit) + " files or " +
                                          std::to_string(members_bytes_limit >> 20) + " MiB unpacked");
}

/// The entry's name, or why this entry is not taken.
Result<std::string> accepted_name(archive_entry* entry, const std::vector<Member>& members) {
    const char* raw = archive_entry_pathname(entry);
    const std::string_view whole = raw == nullptr ? "" : raw;
    const std::string name(after_prefix(whole, "./").value_or(whole));
    const bool regular = archive_entry_filetype(entry) == AE_IFREG &&
                         archive_entry_hardlink(entry) == nullptr && archive_entry_symlink(entry) == nullptr;
    if (!regular || !is_plain_name(name)) {
        return fail(ErrorCode::invalid_input, "holds something else than plain files");
    }
    if (std::ranges::any_of(members, [&](const Member& member) { return member.name == name; })) {
        return fail(ErrorCode::invalid_input, "holds '" + name + "' twice");
    }
    return name;
}

/// The data of the current entry; `room` bytes at most, whatever its header promises.
Result<std::string> entry_data(archive* reader, std::size_t room) {
    std::string bytes;
    std::array<char, block_bytes> buffer;
    for (;;) {
        const la_ssize_t count = archive_read_data(reader, buffer.data(), buffer.size());
        if (count < 0) {
            return fail(ErrorCode::invalid_input, message_of(reader));
        }
        if (count == 0) {
            return bytes;
        }
        if (static_cast<std::size_t>(count) > room - bytes.size()) {
            return too_large();
        }
        bytes.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

Result<std::vector<Member>> read_members(archive* reader) {
    std::vector<Member> members;
    std::size_t room = members_bytes_limit;
    archive_entry* entry = nullptr;
    int status = archive_read_next_header(reader, &entry);
    for (; status == ARCHIVE_OK; status = archive_read_next_header(reader, &entry)) {
        if (members.size() == members_limit) {
            return too_large();
        }
        const Result<std::string> name = accepted_name(entry, members);
        if (!name) {
            return tl::unexpected<Error>(name.error());
        }
        Result<std::string> bytes = entry_data(reader, room);
        if (!bytes) {
            return tl::unexpected<Error>(bytes.error());
        }
        room -= bytes->size();
        members.push_back({*name, std::move(*bytes)});
    }
    if (status != ARCHIVE_EOF) {
        return fail(ErrorCode::invalid_input, message_of(reader));
    }
    return members;
}

/// Reads an archive that `open` gives to libarchive.
template <class Open>
Result<std::vector<Member>> read_opened(Open open) {
    const Reader reader(archive_read_new(), archive_read_free);
    if (!reader || archive_read_support_filter_zstd(reader.get()) != ARCHIVE_OK ||
        archive_read_support_format_tar(reader.get()) != ARCHIVE_OK) {
        return fail(ErrorCode::internal, "cannot read tar and zstd");
    }
    if (open(reader.get()) != ARCHIVE_OK) {
        return fail(ErrorCode::invalid_input, message_of(reader.get()));
    }
    return read_members(reader.get());
}

la_ssize_t append_to_string(archive*, void* target, const void* bytes, std::size_t count) {
    static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), count);
    return static_cast<la_ssize_t>(count);
}

bool write_member(archive* writer, const Member& member) {
    const Entry entry(archive_entry_new(), archive_entry_free);
    if (!entry) {
        return false;
    }
    archive_entry_set_pathname(entry.get(), member.name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(member.bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    return archive_write_header(writer, entry.get()) == ARCHIVE_OK &&
           archive_write_data(writer, member.bytes.data(), member.bytes.size()) ==
               static_cast<la_ssize_t>(member.bytes.size()) &&
           archive_write_finish_entry(writer) == ARCHIVE_OK;
}

tl::unexpected<Error> errno_failure(int error) {
    const bool absent = error == ENOENT || error == ENOTDIR;
    const bool denied = error == EACCES || error == EPERM;
    const ErrorCode code = absent ? ErrorCode::not_found : denied ? ErrorCode::denied : ErrorCode::io;
    return fail(code, std::generic_category().message(error));
}

bool belongs_to_snapshot(std::string_view name) {
    return is_plain_name(name) && (name == "meta.json" || name.ends_with(".answers"));
}

/// One file of a folder. A link is not followed: a folder may come out of a stranger's archive too.
Result<Member> read_member(const Descriptor& folder, std::string name, std::size_t room) {
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const Descriptor file(openat(folder.get(), name.c_str(), flags));
    struct stat status{};
    if (!file.valid() || fstat(file.get(), &status) != 0) {
        return fail(errno_failure(errno).value(), name);
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::invalid_input, name + " is no regular file");
    }
    ReadBytes bytes = read_to_end(file, room);
    if (bytes.truncated) {
        return too_large();
    }
    if (bytes.error != 0) {
        return fail(errno_failure(bytes.error).value(), name);
    }
    return Member{std::move(name), std::move(bytes.text)};
}

}  // namespace

bool is_plain_name(std::string_view name) {
    return !name.empty() && name.size() <= 200 && name[0] != '.' &&
           std::ranges::none_of(name, [](char c) { return c == '/' || c == '\\' || (c >= 0 && c < 0x20); });
}

Result<std::vector<Member>> read_archive(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!file.valid() || fstat(file.get(), &status) != 0) {
        return errno_failure(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::invalid_input, "no regular file");
    }
    return read_opened(
        [&](archive* reader) { return archive_read_open_fd(reader, file.get(), block_bytes); });
}

Result<std::vector<Member>> read_archive_bytes(std::string_view bytes) {
    return read_opened(
        [&](archive* reader) { return archive_read_open_memory(reader, bytes.data(), bytes.size()); });
}

Result<std::string> make_archive(const std::vector<Member>& members) {
    std::size_t total = 0;
    for (const Member& member : members) {
        total += member.bytes.size();
    }
    if (members.size() > members_limit || total > members_bytes_limit) {
        return too_large();
    }
    std::string bytes;
    Writer writer(archive_write_new(), archive_write_free);
    // Without a last block of 1 byte the output would be padded with zeros, which are no zstd frame.
    bool good = writer && archive_write_set_bytes_in_last_block(writer.get(), 1) == ARCHIVE_OK &&
                archive_write_add_filter_zstd(writer.get()) == ARCHIVE_OK &&
                archive_write_set_format_ustar(writer.get()) == ARCHIVE_OK &&
                archive_write_open(writer.get(), &bytes, nullptr, append_to_string, nullptr) == ARCHIVE_OK;
    for (const Member& member : members) {
        good = good && write_member(writer.get(), member);
    }
    if (!good || archive_write_close(writer.get()) != ARCHIVE_OK) {
        return fail(ErrorCode::internal, "cannot write tar and zstd");
    }
    return bytes;
}

Result<std::vector<Member>> read_folder(const std::string& path) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const Descriptor folder(open(path.c_str(), flags));
    Descriptor listing(folder.valid() ? openat(folder.get(), ".", flags) : -1);
    if (!listing.valid()) {
        return errno_failure(errno);
    }
    const Answer names = entries_of(std::move(listing));
    std::vector<Member> members;
    std::size_t room = members_bytes_limit;
    for (std::string_view name : lines_of(names.text)) {
        if (!belongs_to_snapshot(name)) {
            continue;
        }
        if (members.size() == members_limit) {
            return too_large();
        }
        Result<Member> member = read_member(folder, std::string(name), room);
        if (!member) {
            return tl::unexpected<Error>(member.error());
        }
        room -= member->bytes.size();
        members.push_back(std::move(*member));
    }
    return members;
}

}  // namespace whygpu
