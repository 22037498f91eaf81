#include "optimizer/outputs.h"

#include "optimizer/launch_wrapper.h"
#include "report/explanation.h"
#include "report/result_json.h"
#include "report/unified_diff.h"
#include "task/task_writer.h"

namespace optiml::optimizer {

Status write_outputs(report::Summary& summary, const task::Task& task, const task::Candidate& winner, const std::string& machine_listing,
                     const std::filesystem::path& folder, Disk& disk) {
    const std::string kernel_name = task.name + ".cu";
    summary.kernel_file = (folder / kernel_name).string();
    task::Task winners_task = task;
    winners_task.plan = winner.plan;
    winners_task.compile = winner.compile;
    const std::string diff = report::unified_diff(summary.original_source, summary.best_source, "a/" + summary.original_file,
                                                  "b/" + summary.original_file);
    std::vector<std::pair<std::string, std::string>> files = {
        {kernel_name, winner.source},
        {task.name + ".toml", task::task_file_text(winners_task, kernel_name)},
        {task.name + "_launch.cuh", launch_wrapper(task, winner, kernel_name)},
        {"changes.diff", diff},
        {"explanation.md", report::explain(summary, true)},
        {"result.json", report::result_json(summary) + "\n"},
    };
    if (!machine_listing.empty()) files.emplace_back(task.name + ".sass", machine_listing);
    for (const auto& [name, text] : files) {
        if (Status status = disk.write(folder / name, text); !status) return status;
    }
    return {};
}

}  // namespace optiml::optimizer
