"""What the GPU benchmarks share: finding the program, feeding candidates to it, and writing a result with card, driver, date and command."""
import contextlib
import datetime
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def program():
    """The optiml program: $OPTIML, else the release or development build."""
    candidates = [os.environ.get("OPTIML", ""), PROJECT / "build/release/optiml", PROJECT / "build/dev/optiml"]
    for candidate in candidates:
        if candidate and pathlib.Path(candidate).exists():
            return str(candidate)
    sys.exit("build optiml first (./demo), or set OPTIML to the program")


def card():
    query = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True)
    names = [line.split(", ") for line in query.stdout.strip().splitlines()]
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if all(ordinal.isdigit() for ordinal in visible.split(",")):
        names = [names[int(ordinal)] for ordinal in visible.split(",") if int(ordinal) < len(names)]
    return ", ".join(name for name, _ in names), names[0][1] if names else "unknown"


def folder_of_results():
    return pathlib.Path(os.environ.get("RESULTS", PROJECT / "benchmarks/results/h200"))


@contextlib.contextmanager
def alone_with(name):
    """Nobody else reads, changes and writes this result meanwhile."""
    with open(pathlib.Path(tempfile.gettempdir()) / f"optiml_{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_result(name, figures):
    """benchmarks/results/h200/NAME.json, or $RESULTS/NAME.json."""
    folder = folder_of_results()
    folder.mkdir(parents=True, exist_ok=True)
    name_of_card, driver = card()
    result = {"command": "python3 " + " ".join([os.path.relpath(sys.argv[0], PROJECT)] + sys.argv[1:]), "card": name_of_card,
              "driver": driver, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **figures}
    (folder / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps({key: value for key, value in result.items() if not isinstance(value, (list, dict))}))


sessions = []  # of the programs that evaluate() started


def processes_left():
    """How many processes of those programs still run."""
    count = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        count += fields[0] != "Z" and int(fields[3]) in sessions
    return count


def evaluate(kernel, candidates, *options, on_answer=None, limit_seconds=540):
    """Feeds candidates (dicts with id, source[, task_file]) to `optiml evaluate`; returns (answers by id, times of arrival)."""
    command = [program(), "evaluate", str(PROJECT / kernel), *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    sessions.append(process.pid)

    def feed():
        try:
            for candidate in candidates:
                process.stdin.write(json.dumps(candidate) + "\n")
            process.stdin.close()
        except BrokenPipeError:
            pass

    threading.Thread(target=feed, daemon=True).start()
    watchdog = threading.Timer(limit_seconds, process.kill)
    watchdog.start()
    answers, arrivals = {}, []
    for line in process.stdout:
        answer = json.loads(line)
        answers[answer["id"]] = answer
        arrivals.append(time.monotonic())
        if on_answer:
            on_answer(answer)
    process.wait()
    watchdog.cancel()
    return answers, arrivals


def source_of(kernel):
    return (PROJECT / kernel).read_text()
