// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/pack_command.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "ferry/hlo/version.h"
#include "ferry/memory/minimalloc_csv.h"
#include "ferry/memory/pack_buffers.h"
#include "ferry/memory/packing_bounds.h"
#include "ferry/memory/packing_verifier.h"
#include "ferry/tools/byte_size.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/interrupt.h"
#include "ferry/tools/json_text.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/parallel.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

struct PackFlags {
  std::string file;
  std::string capacity;
  std::string time_limit;
  std::string effort;
  std::string verify;
  std::string output;
  int threads = 0;
  bool json = false;

  std::optional<int64_t> capacity_bytes;
  absl::Duration time = absl::InfiniteDuration();
  int64_t steps = PackingOptions().effort;
};

absl::Status CheckFlags(PackFlags& flags) {
  if (flags.file.empty()) {
    return absl::InvalidArgumentError("which FILE? `-` is standard input");
  }
  if (!flags.capacity.empty()) {
    const absl::StatusOr<int64_t> bytes = ParseByteSize(flags.capacity);
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--capacity: ", bytes.status().message()));
    }
    flags.capacity_bytes = *bytes;
  }
  double seconds = 0;
  if (!flags.time_limit.empty()) {
    if (!absl::SimpleAtod(flags.time_limit, &seconds) || !(seconds > 0)) {
      return absl::InvalidArgumentError(
          "--time-limit takes a positive number of seconds");
    }
    flags.time = absl::Seconds(seconds);
  }
  if (!flags.effort.empty() &&
      (!absl::SimpleAtoi(flags.effort, &flags.steps) || flags.steps < 0 ||
       flags.steps > INT64_MAX / 1024)) {
    return absl::InvalidArgumentError("--effort takes a number of steps");
  }
  if (flags.threads < 0) {
    return absl::InvalidArgumentError("--threads takes a number");
  }
  return absl::OkStatus();
}

constexpr char kExample[] =
    "Example: buffers that are live from `lower` until `upper`\n"
    "  printf 'id,lower,upper,size\\na,0,4,64\\nb,4,9,96\\nc,2,9,32\\n' |\n"
    "    ferry pack -\n"
    "prints the same lines with an `offset` for each, as low as can be found,\n"
    "and on stderr how high they reach and how low any packing must reach.\n"
    "Is there a packing below some capacity?\n"
    "  ferry pack buffers.csv --capacity=1MiB -o packed.csv\n"
    "Columns `alignment`, `gaps` (as in 2-4) and `offset` (of a buffer that\n"
    "must not move) are optional.\n"
    "\n"
    "Exit codes: 0 packed, 1 --verify found a fault, 2 wrong command line,\n"
    "3 the input cannot be read, 4 infeasible or unknown, 70 a bug in ferry.";

void Declare(CommandLine& line, PackFlags& flags) {
  line.AddArgument("FILE", flags.file,
                   "CSV with columns id, lower, upper, size; also .gz and "
                   ".zst, - for standard input");
  line.AddText("--capacity", flags.capacity,
               "stop at a packing below this many bytes (1048576, 1MiB)");
  line.AddText("--verify", flags.verify,
               "judge the offsets of this file instead of packing");
  line.AddText("--effort", flags.effort,
               "how many steps to search, about a microsecond each (default "
               "4000000; 0: greedy only)");
  line.AddText("--time-limit", flags.time_limit,
               "stop after so many seconds with the best so far");
  line.AddNumber("--threads", flags.threads,
                 "threads to use (default: all cores); the answer is the same");
  line.AddFlag("--json", flags.json, "print one JSON document");
  line.AddText("-o", flags.output, "write the packed CSV to this file");
  line.AddCheck([&flags] { return CheckFlags(flags); });
}

// A file as it was read.
struct CsvFile {
  std::string text;
  MiniMallocCsv csv;
};

std::string DocumentToText(llvm::json::Value document) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 1);
  json.value(document);
  return text + "\n";
}

llvm::json::Object ToolObject() {
  return llvm::json::Object{{"name", "ferry"}, {"version", kFerryVersion}};
}

// Says on stderr, or in JSON on stdout too, why the file cannot be read.
ExitCode Unreadable(const PackFlags& flags, const std::string& file,
                    absl::string_view message, int64_t line) {
  if (line > 0) {
    WriteStderr(absl::StrCat(message, "\n"));
  } else {
    Complain(DiagnosticCode::kCannotReadFile, message);
  }
  if (flags.json) {
    llvm::json::Object finding{{"severity", "error"},
                               {"message", JsonText(message)},
                               {"file", JsonText(file)},
                               {"line", nullptr}};
    if (line > 0) finding["line"] = line;
    llvm::json::Object document{
        {"tool", ToolObject()},
        {"file", JsonText(file)},
        {"verdict", line > 0 ? "INVALID_ARGUMENT" : "NOT_FOUND"},
        {"status", nullptr},
        {"diagnostics", llvm::json::Array{std::move(finding)}}};
    WriteOrComplain("-", DocumentToText(std::move(document)));
  }
  return ExitCode::kUnreadable;
}

// Reads `file`; or says why not, and returns the code to end with.
std::optional<ExitCode> ReadCsv(const PackFlags& flags, const std::string& file,
                                CsvFile& result) {
  const absl::StatusOr<std::shared_ptr<const SourceText>> source =
      ReadInput(file);
  if (!source.ok()) {
    return Unreadable(flags, file, source.status().message(), 0);
  }
  int64_t line = 0;
  absl::StatusOr<MiniMallocCsv> csv =
      ParseMiniMallocCsv((*source)->text(), (*source)->name(), &line);
  if (!csv.ok()) return Unreadable(flags, file, csv.status().message(), line);
  result.text = std::string((*source)->text());
  result.csv = *std::move(csv);
  return std::nullopt;
}

absl::string_view StatusName(PackingStatus status) {
  switch (status) {
    case PackingStatus::kFeasible:
      return "feasible";
    case PackingStatus::kInfeasible:
      return "infeasible";
    case PackingStatus::kUnknown:
      return "unknown";
  }
  return "unknown";
}

// Beyond 2^63 as decimal strings.
llvm::json::Value BytesToJson(ByteCount bytes) {
  if (bytes.FitsInt64()) return llvm::json::Value(bytes.ToInt64());
  return llvm::json::Value(bytes.ToString());
}

std::string PackingToJson(const PackFlags& flags, const Packing& packing,
                          const PackingBound& load, double seconds) {
  llvm::json::Object document{
      {"tool", ToolObject()},
      {"file", JsonText(flags.file)},
      {"status", JsonText(StatusName(packing.status))},
      {"height", nullptr},
      {"lower_bound", BytesToJson(packing.lower_bound_bytes)},
      {"load", BytesToJson(load.bytes)},
      {"load_time", load.time},
      {"proven", packing.IsProven()},
      {"timed_out", packing.timed_out},
      {"wall_seconds", seconds}};
  if (packing.status == PackingStatus::kFeasible) {
    document["height"] = packing.height_bytes;
  }
  if (flags.capacity_bytes) document["capacity"] = *flags.capacity_bytes;
  return DocumentToText(std::move(document));
}

std::string Bytes(ByteCount bytes) {
  if (bytes.FitsInt64()) return ByteSizeToString(bytes.ToInt64());
  return absl::StrCat(bytes.ToString(), " B");
}

std::string PackingToText(const PackFlags& flags, const Packing& packing,
                          const PackingBound& load) {
  std::string text = absl::StrCat(StatusName(packing.status));
  if (packing.status == PackingStatus::kFeasible) {
    absl::StrAppend(&text, ": height ", ByteSizeToString(packing.height_bytes),
                    packing.IsProven() ? ", the lowest possible" : "");
  }
  absl::StrAppend(&text, "\nlower bound ", Bytes(packing.lower_bound_bytes));
  if (load.bytes == packing.lower_bound_bytes) {
    absl::StrAppend(&text, ", needed at time ", load.time);
  }
  if (flags.capacity_bytes) {
    absl::StrAppend(&text, "\ncapacity ",
                    ByteSizeToString(*flags.capacity_bytes));
  }
  if (packing.timed_out) absl::StrAppend(&text, "\nstopped before its time");
  return text + "\n";
}

ExitCode Pack(const PackFlags& flags, const CsvFile& input) {
  PackingOptions options;
  options.effort = flags.steps;
  options.time_limit = flags.time;
  options.is_cancelled = IsInterrupted;
  // Fewer buffers are packed sooner than threads are started.
  constexpr size_t kWorthThreads = 64;
  const int threads = ThreadCount(flags.threads);
  if (threads > 1 && input.csv.problem.buffers.size() >= kWorthThreads) {
    options.run_in_parallel =
        [threads](size_t count, const std::function<void(size_t)>& work) {
          RunInParallel(count, threads, work, [](size_t) {});
        };
  }
  NoteInterrupts();
  const absl::Time start = absl::Now();
  const absl::StatusOr<Packing> packing =
      PackBuffers(input.csv.problem, options);
  if (!packing.ok()) {
    return Unreadable(flags, flags.file, packing.status().message(), 0);
  }
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  const PackingBound load = LoadBound(input.csv.problem);
  const bool is_feasible = packing->status == PackingStatus::kFeasible;
  ExitCode code = is_feasible ? ExitCode::kOk : ExitCode::kInfeasible;
  const bool csv_on_stdout = flags.output.empty() && !flags.json;
  if (is_feasible && (csv_on_stdout || !flags.output.empty())) {
    code = Worse(
        code,
        WriteOrComplain(flags.output, WriteMiniMallocCsv(
                                          input.text, packing->offsets_bytes)));
  }
  if (flags.json) {
    return Worse(code, WriteOrComplain(
                           "-", PackingToJson(flags, *packing, load, seconds)));
  }
  const std::string text = PackingToText(flags, *packing, load);
  if (!csv_on_stdout) return Worse(code, WriteOrComplain("-", text));
  WriteStderr(text);
  return code;
}

// The solution's offsets, in the order of the problem's ids.
std::optional<std::string> CollectOffsets(const CsvFile& problem,
                                          const CsvFile& solution,
                                          std::vector<int64_t>& offsets) {
  std::map<absl::string_view, std::optional<int64_t>> by_id;
  for (size_t i = 0; i < solution.csv.ids.size(); ++i) {
    by_id[solution.csv.ids[i]] =
        solution.csv.problem.buffers[i].fixed_offset_bytes;
  }
  for (const std::string& id : problem.csv.ids) {
    const auto found = by_id.find(id);
    if (found == by_id.end() || !found->second.has_value()) {
      return absl::StrCat("`", id, "` has no offset");
    }
    offsets.push_back(*found->second);
  }
  return std::nullopt;
}

ExitCode Verify(const PackFlags& flags, const CsvFile& input) {
  CsvFile solution;
  if (const auto code = ReadCsv(flags, flags.verify, solution)) return *code;
  std::vector<int64_t> offsets;
  std::vector<std::string> faults;
  PackingProblem problem = input.csv.problem;
  problem.capacity_bytes = flags.capacity_bytes;
  if (const auto fault = CollectOffsets(input, solution, offsets)) {
    faults.push_back(*fault);
  } else {
    for (const PackingViolation& violation :
         FindPackingViolations(problem, offsets)) {
      std::string ids;
      if (violation.buffer >= 0) {
        absl::StrAppend(&ids, "`", input.csv.ids[violation.buffer], "`");
      }
      if (violation.other >= 0) {
        absl::StrAppend(&ids, ", `", input.csv.ids[violation.other], "`");
      }
      faults.push_back(absl::StrCat(ids, ": ", violation.message));
    }
  }
  const bool is_valid = faults.empty();
  const int64_t height = is_valid ? PackingHeight(problem, offsets) : 0;
  const ExitCode code = is_valid ? ExitCode::kOk : ExitCode::kFindings;
  if (flags.json) {
    llvm::json::Array list;
    for (const std::string& fault : faults) list.push_back(JsonText(fault));
    llvm::json::Object document{{"tool", ToolObject()},
                                {"file", JsonText(flags.file)},
                                {"valid", is_valid},
                                {"height", nullptr},
                                {"violations", std::move(list)}};
    if (is_valid) document["height"] = height;
    return Worse(code,
                 WriteOrComplain("-", DocumentToText(std::move(document))));
  }
  for (const std::string& fault : faults) {
    WriteStderr(absl::StrCat(flags.verify, ": error: ", fault, "\n"));
  }
  if (!is_valid) return code;
  return WriteOrComplain(
      "-", absl::StrCat("valid: height ", ByteSizeToString(height), "\n"));
}

}  // namespace

ExitCode RunPackCommand(absl::Span<const std::string> arguments) {
  PackFlags flags;
  CommandLine line("ferry pack", "Where can each buffer stand?", kExample);
  Declare(line, flags);
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  SetCrashCommand(ShellCommand("ferry pack", arguments, flags.file));
  CsvFile input;
  if (const auto code = ReadCsv(flags, flags.file, input)) return *code;
  if (!flags.verify.empty()) return Verify(flags, input);
  input.csv.problem.capacity_bytes = flags.capacity_bytes;
  return Pack(flags, input);
}

}  // namespace ferry
