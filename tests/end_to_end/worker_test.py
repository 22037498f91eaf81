#!/usr/bin/env python3
"""A build worker as the supervisor starts it: builds and checks candidates after it has given up what it does not need."""
import json
import os
import subprocess
import unittest

import program


class Worker:
    """optiml worker --build, asked line by line."""

    def __init__(self, prefix=(), **environment):
        self.process = subprocess.Popen([*prefix, program.OPTIML, "worker", "--build"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment})

    def status(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def task(source):
    # A task that travels names its source file as the protocol does.
    return {"name": "transpose", "task_file": 'source = "kernel.cu"\n' + program.TRANSPOSE_TASK, "source": source, "source_file": "transpose.cu"}


class WorkerTest(program.ProgramTest):
    def builds_and_rejects(self, worker):
        opened = worker.ask(do="open", task=task(program.TRANSPOSE))
        self.assertTrue(opened["ok"], opened)
        built = worker.ask(do="build", candidate=task(program.TRANSPOSE + "// the same again\n"))
        self.assertTrue(built["ok"], built)
        self.assertEqual(built["evaluation"]["findings"], [])
        self.assertTrue(built["compiled"]["cubin"])
        broken = worker.ask(do="build", candidate=task(program.TRANSPOSE.replace("&& col < cols", "")))
        self.assertTrue(broken["evaluation"]["findings"])
        self.assertFalse(worker.ask(do="sing")["ok"])

    def test_a_worker_has_given_up_rights_and_works(self):
        worker = Worker()
        self.builds_and_rejects(worker)
        self.assertEqual((worker.status()["NoNewPrivs"], worker.status()["Seccomp"]), ("1", "2"))
        self.assertEqual(worker.close(), 0)

    def test_the_sandbox_can_be_left_out(self):
        worker = Worker(OPTIML_SANDBOX="off")
        self.builds_and_rejects(worker)
        self.assertEqual(worker.status()["NoNewPrivs"], "0")
        self.assertEqual(worker.close(), 0)

    def test_a_worker_works_in_bubblewrap(self):
        sandbox = next(check for check in self.run_json("doctor")["checks"] if check["name"] == "sandbox")
        if not sandbox["good"]:
            self.skipTest(sandbox["finding"])
        worker = Worker(["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "--unshare-ipc", "--die-with-parent",
                         "--setenv", "TMPDIR", "/dev/shm", "--"])
        self.builds_and_rejects(worker)
        self.assertEqual(worker.close(), 0)


if __name__ == "__main__":
    unittest.main()
