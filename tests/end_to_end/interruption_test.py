"""Ctrl-C, kill -9, a full disk, two at once: what was found is kept, and a resumed run ends as if nothing had happened."""
import os
import resource
import shutil
import signal
import sqlite3
import time
import unittest

from program import ProgramTest

BUDGET = "12"


class Interruption(ProgramTest):
    def optimize(self, **options):
        return self.start("optimize", "transpose.cu", "--budget", BUDGET, "--out", "out", "--json", **options)

    def wait_for_evaluations(self, process, count):
        for _ in range(6000):
            if process.poll() is not None or self.saved()[0] >= count:
                return
            time.sleep(0.02)
        self.fail("no evaluations were saved in two minutes")

    def saved(self):
        """Evaluations kept, and how often the most frequent one was written."""
        if not os.path.exists(self.path("runs.db")):
            return 0, 0
        try:
            store = sqlite3.connect(self.path("runs.db"), timeout=10)
            return store.execute("SELECT COUNT(*), COALESCE(MAX(writes), 0) FROM evaluations").fetchone()
        except sqlite3.OperationalError:
            return 0, 0  # not there yet

    def left_alone(self):
        """The kernel and number of evaluations of a run that nobody disturbs; leaves no trace."""
        process = self.optimize()
        process.communicate(timeout=300)
        kernel, saved = self.read("out", "transpose.cu"), self.saved()[0]
        shutil.rmtree(self.path("out"))
        for name in os.listdir(self.folder):
            if name.startswith("runs.db"):
                os.remove(self.path(name))
        return kernel, saved

    def check_resumed(self, expected):
        result = self.run_json("resume", "transpose-1")
        kernel, saved = expected
        self.assertEqual(result["evaluations"], int(BUDGET))
        self.assertEqual(self.read("out", "transpose.cu"), kernel)
        self.assertEqual(self.saved(), (saved, 1))

    def test_ctrl_c_ends_cleanly_and_the_run_goes_on_later(self):
        expected = self.left_alone()
        process = self.optimize()
        self.wait_for_evaluations(process, 4)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("optiml resume transpose-1", err)
        self.assertTrue(os.path.exists(self.path("out", "transpose.cu")))  # the best so far
        self.check_resumed(expected)

    def test_a_run_is_running_until_its_process_is_gone(self):
        process = self.optimize()
        self.wait_for_evaluations(process, 2)
        self.assertEqual(self.run_json("runs")["runs"][0]["state"], "running")
        _, err = self.run_program("resume", "transpose-1", expect=2)
        self.assertIn("another process is at work on run transpose-1", err)
        process.kill()
        process.communicate()
        self.assertEqual(self.run_json("runs")["runs"][0]["state"], "interrupted")

    def test_kill_loses_nothing(self):
        expected = self.left_alone()
        process = self.optimize()
        self.wait_for_evaluations(process, 5)
        process.kill()
        process.communicate()
        told, _ = self.run_program("explain", "transpose-1")
        self.assertIn("optiml resume transpose-1", told)
        self.check_resumed(expected)

    def test_a_full_disk_is_told_and_the_run_goes_on_later(self):
        expected = self.left_alone()

        def small_disk():  # a limit on the size of files stands in for the disk's end
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (400 * 1024, resource.RLIM_INFINITY))

        process = self.optimize(preexec_fn=small_disk)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("disk", err)
        self.assertIn("optiml resume transpose-1", err)
        self.check_resumed(expected)

    def test_two_at_once_share_a_store(self):
        processes = [self.start("optimize", "transpose.cu", "--budget", "4", "--seed", str(seed), "--out", f"out{seed}", "--json")
                     for seed in (1, 2)]
        for process in processes:
            _, err = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, err)
        self.assertEqual({run["state"] for run in self.run_json("runs")["runs"]}, {"done"})


if __name__ == "__main__":
    unittest.main()
