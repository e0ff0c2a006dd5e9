"""Tasks that processes do: what comes of them comes in order, and one that dies takes nothing else along."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
from commands import ENVIRONMENT
from packing import plant
from realtools import LIMIT, wait_until
from sampled import mostly_slow

from urlextract.errors import SourceError, UrlExtractError
from urlextract.run import processes
from urlextract.run.processes import DAMAGE, DIED, DONE, FAILED, RESULT, in_turn
from urlextract.run.runner import run

TASKS = [f"task {number}" for number in range(11)]
HERE = os.pathsep.join([str(Path(__file__).parent), ENVIRONMENT["PYTHONPATH"]])


@pytest.fixture(params=["fork", mostly_slow(["spawn"])[0]])
def method(request, monkeypatch):
    """Have processes started in this way: a program with threads must not fork."""
    monkeypatch.setattr(processes, "active_count", lambda: 1 + (request.param == "spawn"))


# work on a task: several results, with damage between them


def steps_of(task):
    damage = SourceError(task, "is torn", 7)
    return [(RESULT, [task, 1]), (DAMAGE, damage), (RESULT, [("é", None)] * 3), (RESULT, b"x"), (DONE, None)]


def work(task, tell):
    for step, value in steps_of(task):
        if step == RESULT:
            yield value
        elif step == DAMAGE:
            tell(value)


def dying(times, folder, task, tell):
    """Do a task, but kill the process that does it, so many times."""
    for number, result in enumerate(work(task, tell)):
        path = folder / task
        if number == 1 and task in times and (not path.exists() or path.stat().st_size < times[task]):
            with path.open("a") as stream:
                stream.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        yield result


def slowly(do, seconds, task, tell):
    for result in do(task, tell):
        yield result
        time.sleep(seconds)


def raising(task, tell):
    yield from work(task, tell)
    if task == TASKS[4]:
        raise RuntimeError("odd")


def by_whom(task, tell):
    yield os.getpid()


def large(size, task, tell):
    for number in range(size):
        yield b"%d %s" % (number, task.encode()) * 1_000


def filling(task, tell):
    import resource

    if task == TASKS[1]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield b"x" * 1_000_000


def endless(task, tell):
    while task != TASKS[0]:
        time.sleep(0.01)
    yield task


def waiting(task, tell):
    yield os.getpid()
    time.sleep(1_000)


def plain(steps):
    """Return steps that can be compared."""
    return [(task, step, str(value) if step == DAMAGE else value) for task, step, value in steps]


def expected(tasks=TASKS, died=()):
    """Return the steps of tasks; of those whose process dies, the first one."""
    steps = [[steps_of(task)[0], (FAILED, DIED)] if task in died else steps_of(task) for task in tasks]
    return plain([(task, *step) for task, some in zip(tasks, steps, strict=True) for step in some])


def done(do, jobs, tasks=TASKS, **how):
    """Do the tasks; return all steps. No process is left."""
    steps = plain(list(in_turn(tasks, do, jobs, **how)))
    assert multiprocessing.active_children() == []
    return steps


# in order


@pytest.mark.parametrize("jobs", [0, 1, 3, 11, 40])
def test_results_come_in_the_order_of_the_tasks_which_are_asked_for_some_at_a_time(jobs):
    """There may be more of them than memory is for. One that raises is told, others are left alone."""
    assert done(work, jobs, []) == []
    asked, steps = [], []
    for step in in_turn((asked.append(task) or task for task in TASKS), raising, jobs):
        steps.append(step)
        ended = sum(each[1] in (DONE, FAILED) for each in steps)
        assert len(asked) <= ended + 1 + jobs + 1
    assert asked == TASKS
    wanted = expected()
    at = wanted.index((TASKS[4], DONE, None))
    wanted[at] = TASKS[4], FAILED, "a fault of this program (RuntimeError: odd)"
    assert plain(steps) == wanted


def test_an_error_of_the_program_ends_the_run():
    def failing(task, tell):
        raise UrlExtractError("no more")
        yield

    with pytest.raises(UrlExtractError, match="no more"):
        list(in_turn(TASKS, failing, 0))


@pytest.mark.usefixtures("method")
def test_however_processes_are_started(tmp_path):
    """Also in place of those that were killed. If no more is wanted, they end that would go on for ever."""
    do = partial(dying, {TASKS[2]: 1, TASKS[5]: 9}, tmp_path)
    assert done(do, 2) == expected(TASKS, {TASKS[5]})
    steps = in_turn(TASKS, endless, 3)
    assert next(steps) == (TASKS[0], RESULT, TASKS[0])
    steps.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("name", ["fork", "pipe", "dup"])
@pytest.mark.parametrize("most", [0, 1, 2])
def test_no_more_processes_can_be_started(monkeypatch, name, most):
    """What they would have done is done here; nothing is left open, but for two pipes of Python itself."""
    start_one, started = getattr(os, name), []

    def scarce(*arguments):
        if len(started) == most:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(1)
        return start_one(*arguments)

    gc.collect()
    open_before = len(os.listdir("/dev/fd"))
    monkeypatch.setattr(os, name, scarce)
    assert done(work, 3) == expected()
    assert len(started) == most
    gc.collect()
    assert len(os.listdir("/dev/fd")) <= open_before + 4 * 2


@pytest.mark.parametrize("patience", [0.001, 0.01, 0.03, 0.1])
def test_steps_are_handed_on_once(patience, monkeypatch):
    """Also if a task ends while its first steps are handed on."""
    monkeypatch.setattr(processes, "_PATIENCE", patience)
    steps = []
    for step in in_turn(TASKS, partial(slowly, work, 0.01), 2):
        steps.append(step)
        time.sleep(0.005)
    assert plain(steps) == expected()


def test_what_is_held_does_not_grow_with_the_results():
    """70 MB come of each of six tasks."""
    script = """
import resource
from functools import partial
from test_runner import TASKS, in_turn, large
size = sum(len(value or b"") for _, _, value in in_turn(TASKS[:6], partial(large, 7_000), 2))
print(int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) // 1024)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
print(size)
"""
    command = [sys.executable, "-c", script]
    env = {**ENVIRONMENT, "PYTHONPATH": HERE}
    output = subprocess.run(command, env=env, check=True, capture_output=True, timeout=LIMIT).stdout
    parent, children, size = map(int, output.split())
    assert size > 400_000_000
    assert max(parent, children) < 150


def test_a_full_disk_is_told_and_no_directory_for_temporary_files_is_none():
    steps = done(filling, 1, TASKS[:2])
    reason = "what is found in it cannot be kept in a temporary file: No space left on device"
    assert [each for each in steps if each[1] != RESULT] == [
        (TASKS[0], DONE, None),
        (TASKS[1], FAILED, reason),
    ]
    missing = FileNotFoundError(2, "No usable temporary directory found")
    with mock.patch.object(processes, "TemporaryFile", side_effect=missing):
        assert done(work, 2) == expected()


def test_an_executor_of_threads():
    """An exception is in the future of its task; the window bounds what is under way."""
    tasks, taken = [4, 2, 0, 1, 5, 10], []
    with ThreadPoolExecutor(2) as pool:
        begun = (taken.append(task) or task for task in tasks)
        found = []
        for step in run(begun, lambda task: pool.submit(lambda: 20 // task), 2, patience=9):
            found.append(step)
            assert len(taken) <= len(found) + 2
    assert [(task, is_over) for task, _, is_over in found] == [(task, True) for task in tasks]
    values = [str(future.exception() or future.result()) for _, future, _ in found]
    assert values == ["5", "10", "integer division or modulo by zero", "20", "4", "2"]


# what dies


KILLS = {
    "the first": ({0: 1}, 2, []),
    "one in the middle": ({5: 1}, 2, []),
    "one, twice": ({5: 2}, 2, []),
    "one, each time": ({5: 9}, 2, [5]),
    "the only process": ({0: 1, 5: 9}, 1, [5]),
    "two at a time": ({0: 9, 1: 9}, 2, [0, 1]),
    "each, once": (dict.fromkeys(range(11), 1), 3, []),
    "each, each time": (dict.fromkeys(range(11), 9), 3, [*range(11)]),
    "the last": ({10: 9}, 3, [10]),
}  # fmt: skip
"""The tasks in which the process is killed, and how often; how many processes there are; what is told."""


@pytest.mark.parametrize("kills", mostly_slow(KILLS, 2))
def test_process_that_is_killed(kills, tmp_path):
    """Its task is tried again, and told if it has failed three times; all others are done, in their order."""
    times, jobs, told = KILLS[kills]
    do = partial(dying, {TASKS[number]: count for number, count in times.items()}, tmp_path)
    assert done(do, jobs) == expected(TASKS, {TASKS[number] for number in told})
    tried = {TASKS.index(path.name): path.stat().st_size for path in tmp_path.iterdir()}
    assert all(tried.pop(number) in (2, 3) for number in told)  # two, if it was under way with one that died
    assert tried == {number: count for number, count in times.items() if number not in told}


@pytest.mark.parametrize("retries", [1, 4])
def test_so_many_tries(retries, tmp_path):
    do = partial(dying, {TASKS[0]: 99}, tmp_path)
    assert done(do, 1, TASKS[:2], retries=retries) == expected(TASKS[:2], {TASKS[0]})
    assert (tmp_path / TASKS[0]).stat().st_size == retries + 1


def test_steps_before_a_death_are_handed_on_once(tmp_path, monkeypatch):
    """Though they are handed on while the task is under way, and come again of the next try."""
    monkeypatch.setattr(processes, "_PATIENCE", 0.01)
    do = partial(slowly, partial(dying, {TASKS[0]: 2, TASKS[2]: 9}, tmp_path), 0.05)
    assert done(do, 2, TASKS[:4]) == expected(TASKS[:4], {TASKS[2]})


def test_process_that_is_killed_while_it_waits():
    """Nothing is lost, and nothing is told: it was doing no task."""
    doers = []
    for task, step, value in in_turn(TASKS, by_whom, 1):
        if step == RESULT:
            doers.append(value)
        elif task == TASKS[3]:
            os.kill(doers[-1], signal.SIGKILL)
            time.sleep(0.1)
    assert len(doers) == len(TASKS)
    assert (os.getpid() in doers, len(set(doers)) > 1) == (False, True)


# programs that use the library


WAITING = """
import multiprocessing, sys
from test_runner import in_turn, waiting
from urlextract.run import processes
if __name__ == "__main__":
    processes.active_count = lambda: int(sys.argv[1])
    for step in in_turn(range(3), waiting, 2):
        print(step[2], flush=True)
"""


def is_there(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("how", mostly_slow(["1", "2"]), ids=["fork", "spawn"])
@pytest.mark.parametrize("number", mostly_slow([signal.SIGKILL, signal.SIGTERM]))
def test_processes_end_with_the_program(how, number, tmp_path):
    plant(tmp_path, {"script.py": WAITING})
    command, env = [sys.executable, tmp_path / "script.py", how], {**ENVIRONMENT, "PYTHONPATH": HERE}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        process = int(program.stdout.readline())
        assert is_there(process)
        program.send_signal(number)
        assert program.stderr.read() == b""  # which all of them have
        program.wait(LIMIT)
    wait_until(lambda: not is_there(process), "the process to end")


SCRIPT = """
import sys, threading
from urlextract import index_sources

event = threading.Event()
if __name__ == "__main__":
    if sys.argv[1] == "thread":
        threading.Thread(target=event.wait).start()
    print(index_sources(sys.argv[2], sys.argv[3], jobs=2))
    event.set()
"""


@pytest.mark.parametrize("how", ["thread", "none"])
def test_a_program_that_uses_the_library(how, tmp_path):
    """If it has threads, processes are not forked.

    Modules that others have planted in the current directory are not imported.
    """
    names = ("multiprocessing", "tempfile", "encodings", "sitecustomize")
    mail = b"From a Mon Nov 14 09:12:44 1994\nSubject: %d\n\nhttp://a.example/\n\n"
    plant(tmp_path, {f"{name}.py": "raise SystemExit('planted')\n" for name in names})
    plant(tmp_path, {"bin/script.py": SCRIPT, "box": b"".join(mail % number for number in range(3_000))})
    words = [sys.executable, tmp_path / "bin/script.py", how, f"{how}.db", "box"]
    ran = subprocess.run(
        words, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, timeout=LIMIT, check=False
    )
    assert ran.stderr == b""
    assert ran.stdout == b"IndexRun(messages=3000, places=3000, urls=1, damaged=0, gone=())\n"
