"""What the benchmarks of the search share: running `optiml optimize` on kernels of the suite, several at once on cores of their own,
and keeping every result in a file, so that a call that is cut short goes on where it was."""
import concurrent.futures
import datetime
import hashlib
import json
import math
import os
import pathlib
import queue
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parents[1]
CORES_A_RUN = 2
KERNELS = sorted(path.stem for path in (PROJECT / "examples/suite").glob("*.cu"))


def add_options(parser):
    parser.add_argument("--optiml", help="the program; default: $OPTIML, else the release or development build")
    parser.add_argument("--results", help="folder for the results; default: $RESULTS, else benchmarks/results/search")
    parser.add_argument("--device", default="emulated:h200")
    parser.add_argument("--jobs", type=int, default=1, help=f"kernels at once, each pinned to {CORES_A_RUN} cores")
    parser.add_argument("--within", type=float, default=360, help="seconds after which no further run begins; call again to go on")
    parser.add_argument("--limit", type=float, default=170, help="seconds after which a run is given up")
    parser.add_argument("--fresh", action="store_true", help="forget the results of earlier calls")
    parser.add_argument("names", nargs="*", help="kernels of the suite; default: all")


def program(options):
    candidates = [options.optiml, os.environ.get("OPTIML"), PROJECT / "build/release/optiml", PROJECT / "build/dev/optiml"]
    for candidate in candidates:
        if candidate and pathlib.Path(candidate).exists():
            return str(candidate)
    sys.exit("build optiml first (./demo), or set OPTIML to the program")


def results_folder(options):
    folder = pathlib.Path(options.results or os.environ.get("RESULTS") or PROJECT / "benchmarks/results/search")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def chosen_kernels(options):
    unknown = set(options.names) - set(KERNELS)
    if unknown:
        sys.exit(f"the suite has no kernel {', '.join(sorted(unknown))}; it has: {' '.join(KERNELS)}")
    return options.names or KERNELS


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


class Runs:
    """Runs of one build of the program, by (kernel, search, seed, budget); kept in a JSON file that grows with every run."""

    def __init__(self, file, options):
        self.file, self.options, self.program = file, options, program(options)
        self.digest = hashlib.sha256(pathlib.Path(self.program).read_bytes()).hexdigest()[:16]
        self.lock = threading.Lock()
        self.runs = {}
        if file.exists() and not options.fresh:
            known = json.loads(file.read_text())
            if known["program"] == self.digest:
                self.runs = {self.key(run): run for run in known["runs"]}

    @staticmethod
    def key(run):
        return run["kernel"], run["search"], run["seed"], run["budget"]

    def carry_out(self, wanted):
        """Runs what of `wanted` (dicts with kernel, search, seed, budget) is not known yet; returns how many are still to do."""
        began = time.monotonic()
        slots = queue.Queue()
        for slot in range(self.options.jobs):
            slots.put(slot)

        def one(run):
            if time.monotonic() - began > self.options.within:
                return
            slot = slots.get()
            try:
                run = {**run, **self.optimize(run, slot)}
            finally:
                slots.put(slot)
            with self.lock:
                self.runs[self.key(run)] = run
                self.write()
            print(f"{run['kernel']} by {run['search']}, seed {run['seed']}: " +
                  (f"x {run['speedup']:.3f} after {run['evaluations']} evaluations, {run['wall_seconds']:.0f} s"
                   if "speedup" in run else run["error"]), flush=True)

        to_do = [run for run in wanted if "speedup" not in self.runs.get(self.key(run), {})]  # what failed is tried again
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(one, to_do))
        return sum(self.key(run) not in self.runs for run in wanted)

    def optimize(self, run, slot):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "runs.db")
            command = ["taskset", "-c", cores_of(slot), self.program, "optimize", str(PROJECT / f"examples/suite/{run['kernel']}.cu"),
                       "--device", self.options.device, "--search", run["search"], "--seed", str(run["seed"]), "--budget", run["budget"],
                       "--jobs", str(CORES_A_RUN), "--store", store, "--out", os.path.join(folder, "out"), "--json"]
            outcome = carried_out(command, folder, self.options.limit)
            if "error" in outcome:
                return outcome
            result = json.loads(outcome.pop("output"))
            kept = ["original_ms", "best_ms", "speedup", "evaluations", "rejected", "seconds", "stopped_by", "sizes", "path"]
            return {**{name: result[name] for name in kept}, **outcome, **history(store)}

    def write(self):
        text = {"command": "python3 " + " ".join([os.path.relpath(sys.argv[0], PROJECT)] + sys.argv[1:]), "program": self.digest,
                "device": self.options.device, "cores_a_run": CORES_A_RUN, "runs_at_once": self.options.jobs,
                "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                "runs": [self.runs[key] for key in sorted(self.runs)]}
        unfinished = self.file.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(text, indent=1) + "\n")
        unfinished.replace(self.file)

    def of(self, wanted):
        """The finished runs among `wanted`, in its order."""
        return [self.runs[self.key(run)] for run in wanted if self.key(run) in self.runs]


def carried_out(command, folder, limit):
    """The command's output, and the seconds that it took: of the clock, and of processors (what a busy machine does not change much)."""
    began = time.monotonic()
    paths = [pathlib.Path(folder) / name for name in ("output", "errors")]
    with open(paths[0], "w", encoding="utf-8") as output, open(paths[1], "w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors)
        finished, status, usage = 0, 0, None
        while not finished:
            finished, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not finished and time.monotonic() - began > limit:
                process.kill()
                os.waitpid(process.pid, 0)
                return {"error": f"not done after {limit:.0f} s"}
            if not finished:
                time.sleep(0.05)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        return {"error": f"ended with {code}: {paths[1].read_text().strip()[-500:]}"}
    return {"output": paths[0].read_text(), "wall_seconds": time.monotonic() - began, "processor_seconds": usage.ru_utime + usage.ru_stime}


def cores_of(slot):
    cores = sorted(os.sched_getaffinity(0))
    return ",".join(str(cores[(CORES_A_RUN * slot + i) % len(cores)]) for i in range(CORES_A_RUN))


def history(store):
    """From the run store: the best speed-up after each evaluation that improved it, what was rejected and by which edit."""
    improvements, rejections = [], []
    with sqlite3.connect(store) as database:
        nodes = database.execute("SELECT action, evaluation FROM nodes ORDER BY node").fetchall()
    original_ms, best = json.loads(nodes[0][1])["cold_ms"], 1.0
    for number, (action, text) in enumerate(nodes[1:], 1):
        evaluation = json.loads(text)
        if "finding" in evaluation:
            rejections.append({"action": action, "finding": evaluation["finding"], "message": evaluation["message"]})
        elif evaluation["accepted"] and original_ms / evaluation["cold_ms"] > best:
            best = original_ms / evaluation["cold_ms"]
            improvements.append([number, best])
    return {"improvements": improvements, "rejections": rejections}
