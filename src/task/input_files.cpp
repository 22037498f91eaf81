#include "task/input_files.h"

#include <set>

#include "cuda_source/scan.h"

namespace optiml::task {
namespace {

namespace fs = std::filesystem;

class FileHasher {
public:
    FileHasher(Hasher& hasher, const Disk& disk) : hasher_(hasher), disk_(disk) {}

    void add(const Task& task) {
        for (const Argument& argument : task.arguments) {
            if (argument.fill.kind == FillKind::file) add(fs::path(task.file).parent_path() / argument.fill.file);
        }
        add_headers(task.source, fs::path(task.source_file).parent_path(), task.compile.include_paths);
    }

private:
    std::string add(const fs::path& file) {
        std::string content = disk_.read(file).value_or("");
        hasher_.add(file.string()).add(content);
        return content;
    }

    void add_headers(std::string_view text, const fs::path& folder, const std::vector<std::string>& include_paths) {
        for (const cuda_source::IncludeLine& include : cuda_source::include_lines(text)) {
            std::vector<fs::path> places = {folder / include.name};
            for (const std::string& path : include_paths) places.push_back(fs::path(path) / include.name);
            for (const fs::path& place : places) {
                if (!disk_.exists(place) || !seen_.insert(place.lexically_normal()).second) continue;
                add_headers(add(place), place.parent_path(), include_paths);
            }
        }
    }

    Hasher& hasher_;
    const Disk& disk_;
    std::set<fs::path> seen_;
};

}  // namespace

Digest digest_with_files(const Task& task, const Disk& disk) {
    Hasher hasher;
    hasher.add(task.digest());
    FileHasher files(hasher, disk);
    files.add(task);
    if (task.reference) files.add(*task.reference);
    return hasher.finish();
}

}  // namespace optiml::task
