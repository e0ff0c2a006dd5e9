"""Tasks that processes do: what comes of them comes in order, and one that dies takes nothing else along."""

from __future__ import annotations

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
from typing import TYPE_CHECKING, Any

import pytest
from commands import ENVIRONMENT
from realtools import LIMIT, wait_until

from urlextract.errors import SourceError
from urlextract.run import processes
from urlextract.run.processes import DAMAGE, DIED, DONE, FAILED, RESULT, in_turn
from urlextract.run.runner import run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

METHODS = multiprocessing.get_all_start_methods()
TASKS = [f"task {number}" for number in range(11)]

Tell = "Callable[[SourceError], None]"


@pytest.fixture(autouse=True)
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have processes started in this way: forked, if a test does not ask for more."""
    name = getattr(request, "param", METHODS[0] if "fork" not in METHODS else "fork")
    monkeypatch.setattr(processes, "_start_method", lambda: name)
    return str(name)


each_method = pytest.mark.parametrize("method", METHODS, indirect=True)


def steps_of(task: str) -> list[tuple[int, Any]]:
    """What comes of a task: several results, with damage between them."""
    damage = SourceError(task, "is torn", 7)
    return [(RESULT, [task, 1]), (DAMAGE, damage), (RESULT, [("é", None)] * 3), (RESULT, b"x"), (DONE, None)]


def work(task: str, tell: Tell) -> Iterator[Any]:
    """Do a task as `steps_of` says."""
    for step, value in steps_of(task):
        if step == RESULT:
            yield value
        elif step == DAMAGE:
            tell(value)


def dying(times: dict[str, int], folder: Path, task: str, tell: Tell) -> Iterator[Any]:
    """Do a task, but kill the process that does it, so many times."""
    for number, result in enumerate(work(task, tell)):
        path = folder / task
        if number == 1 and task in times and (not path.exists() or path.stat().st_size < times[task]):
            with path.open("a") as stream:
                stream.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        yield result


def plain(steps: list[tuple[str, int, Any]]) -> list[tuple[str, int, Any]]:
    """Return steps that can be compared."""
    return [(task, step, str(value) if step == DAMAGE else value) for task, step, value in steps]


def expected(tasks: list[str], died: Collection[str] = ()) -> list[tuple[str, int, Any]]:
    """Return the steps of tasks; of those whose process dies, the first ones."""
    steps = [[*steps_of(task)[:2], (FAILED, DIED)] if task in died else steps_of(task) for task in tasks]
    return plain([(task, *step) for task, some in zip(tasks, steps, strict=True) for step in some])


def no_process_is_left() -> None:
    assert multiprocessing.active_children() == []


def done(do: Any, jobs: int, tasks: list[str] = TASKS, **how: Any) -> list[tuple[str, int, Any]]:
    """Do the tasks; return all steps."""
    steps = plain(list(in_turn(tasks, do, jobs, **how)))
    no_process_is_left()
    return steps


@pytest.mark.parametrize("jobs", [0, 1, 2, 3, 11, 40])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert done(work, jobs) == expected(TASKS)
    assert done(work, jobs, []) == []


@each_method
def test_however_processes_are_started(method: str, tmp_path: Path) -> None:
    """Also in place of those that were killed; nothing but the results is left."""
    do = partial(dying, {TASKS[2]: 1, TASKS[5]: 9}, tmp_path)
    assert done(do, 2) == expected(TASKS, {TASKS[5]})


@pytest.mark.parametrize("jobs", [0, 1, 3])
def test_tasks_are_asked_for_some_at_a_time(jobs: int) -> None:
    """There may be more of them than memory is for."""
    asked: list[str] = []
    over = 0
    for _, step, _ in in_turn((asked.append(task) or task for task in TASKS), work, jobs):
        over += step == DONE
        assert len(asked) <= over + 1 + jobs + 1
    assert asked == TASKS


def by_whom(_: str, tell: object) -> Iterator[int]:
    yield os.getpid()


def test_a_task_that_is_here_is_done_in_this_process_before_the_next_one_is_taken() -> None:
    asked: list[str] = []
    tasks = (asked.append(task) or task for task in TASKS)
    here = TASKS[4], TASKS[5], TASKS[10]
    done = []
    for task, step, value in in_turn(tasks, by_whom, 2, is_here=lambda task: task in here):
        if step == RESULT:
            done.append(task)
            assert (value == os.getpid()) == (task in here)
        assert task not in here or asked[-1] == task
    assert done == TASKS


def failing(task: str, tell: object) -> Iterator[int]:
    yield 1
    if task == TASKS[3]:
        raise ValueError("odd")


@pytest.mark.parametrize("jobs", [0, 2])
def test_an_exception_ends_its_task_alone(jobs: int) -> None:
    ends = [step[1:] for step in in_turn(TASKS, failing, jobs) if step[1] in (DONE, FAILED)]
    failed = FAILED, "a fault of this program (ValueError: odd)"
    assert ends == [failed if task == TASKS[3] else (DONE, None) for task in TASKS]


@pytest.mark.parametrize("name", ["fork", "pipe", "dup"])
@pytest.mark.parametrize("most", [0, 1, 2])
def test_no_more_processes_can_be_started(monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    """What they would have done is done here; nothing is left open, but for two pipes of Python itself."""
    start_one = getattr(os, name)
    started: list[int] = []

    def scarce(*arguments: Any) -> Any:
        if len(started) == most:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(1)
        return start_one(*arguments)

    gc.collect()
    open_before = len(os.listdir("/dev/fd"))
    monkeypatch.setattr(os, name, scarce)
    assert done(work, 3) == expected(TASKS)
    assert len(started) == most
    gc.collect()
    assert len(os.listdir("/dev/fd")) <= open_before + 4 * 2


def large(size: int, task: str, _: Tell) -> Iterator[bytes]:
    for number in range(size):
        yield b"%d %s" % (number, task.encode()) * 1_000


def slowly(task: str, tell: Tell) -> Iterator[Any]:
    for result in work(task, tell):
        time.sleep(0.01)
        yield result


@pytest.mark.parametrize("patience", [0.001, 0.01, 0.03, 0.1])
def test_steps_are_handed_on_once(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if a task ends while its first steps are handed on."""
    monkeypatch.setattr(processes, "_PATIENCE", patience)
    steps = []
    for step in in_turn(TASKS, slowly, 2):
        steps.append(step)
        time.sleep(0.005)
    assert plain(steps) == expected(TASKS)


def test_what_is_held_does_not_grow_with_the_results() -> None:
    """200 MB come of each of six tasks."""
    script = """
import resource
from functools import partial
from test_runner import TASKS, in_turn, large
size = sum(len(value or b"") for _, _, value in in_turn(TASKS[:6], partial(large, 20_000), 2))
print(int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) // 1024)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
print(size)
"""
    path = os.pathsep.join([str(Path(__file__).parent), ENVIRONMENT["PYTHONPATH"]])
    output = subprocess.run([sys.executable, "-c", script], env={**ENVIRONMENT, "PYTHONPATH": path},
                            check=True, capture_output=True, timeout=LIMIT).stdout  # fmt: skip
    parent, children, size = map(int, output.split())
    assert size > 1_000_000_000
    assert max(parent, children) < 150


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


@pytest.mark.parametrize("kills", KILLS)
def test_process_that_is_killed(kills: str, tmp_path: Path) -> None:
    """Its task is tried again, and told if it has failed three times; all others are done, in their order."""
    times, jobs, told = KILLS[kills]
    do = partial(dying, {TASKS[number]: count for number, count in times.items()}, tmp_path)
    assert done(do, jobs) == expected(TASKS, {TASKS[number] for number in told})
    tried = {TASKS.index(path.name): path.stat().st_size for path in tmp_path.iterdir()}
    assert all(tried[number] in (2, 3) for number in told)  # two, if it was under way with one that died
    assert {number: count for number, count in tried.items() if number not in told} == {
        number: count for number, count in times.items() if number not in told
    }


@pytest.mark.parametrize("retries", [1, 4])
def test_so_many_tries(retries: int, tmp_path: Path) -> None:
    do = partial(dying, {TASKS[0]: 99}, tmp_path)
    assert done(do, 1, TASKS[:2], retries=retries) == expected(TASKS[:2], {TASKS[0]})
    assert (tmp_path / TASKS[0]).stat().st_size == retries + 1


def slowly_dying(times: dict[str, int], folder: Path, task: str, tell: Tell) -> Iterator[Any]:
    for result in dying(times, folder, task, tell):
        yield result
        time.sleep(0.05)


def test_steps_before_a_death_are_handed_on_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though they are handed on while the task is under way, and come again of the next try."""
    monkeypatch.setattr(processes, "_PATIENCE", 0.01)
    do = partial(slowly_dying, {TASKS[0]: 2, TASKS[2]: 9}, tmp_path)
    assert done(do, 2, TASKS[:4]) == expected(TASKS[:4], {TASKS[2]})


def telling_who(task: str, _: Tell) -> Iterator[int]:
    yield os.getpid()


def test_process_that_is_killed_while_it_waits() -> None:
    """Nothing is lost, and nothing is told: it was doing no task."""
    doers: list[int] = []
    for task, step, value in in_turn(TASKS, telling_who, 1):
        if step == RESULT:
            doers.append(value)
        elif task == TASKS[3]:
            os.kill(doers[-1], signal.SIGKILL)
            time.sleep(0.1)
    assert len(doers) == len(TASKS)
    assert os.getpid() not in doers
    assert len(set(doers)) > 1


def raising(task: str, tell: Tell) -> Iterator[Any]:
    yield from work(task, tell)
    if task == TASKS[4]:
        raise RuntimeError("odd")


def test_work_that_raises_is_told() -> None:
    """After what it has given; others are left alone."""
    steps = expected(TASKS)
    at = steps.index((TASKS[4], DONE, None))
    steps[at] = TASKS[4], FAILED, "a fault of this program (RuntimeError: odd)"
    assert done(raising, 3) == steps


def filling(task: str, _: Tell) -> Iterator[bytes]:
    import resource

    if task == TASKS[1]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield b"x" * 1_000_000


def test_a_full_disk_is_told() -> None:
    steps = done(filling, 1, TASKS[:2])
    reason = "what is found in it cannot be kept in a temporary file: No space left on device"
    assert [(task, step, value) for task, step, value in steps if step != RESULT] == [
        (TASKS[0], DONE, None), (TASKS[1], FAILED, reason),
    ]  # fmt: skip


def test_without_a_directory_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: Any) -> Any:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(processes, "TemporaryFile", missing)
    assert done(work, 2) == expected(TASKS)


def endless(task: str, _: Tell) -> Iterator[Any]:
    while task != TASKS[0]:
        time.sleep(0.01)
    yield task


@each_method
def test_caller_that_wants_no_more(method: str) -> None:
    """The processes end, though they would go on for ever."""
    steps = in_turn(TASKS, endless, 3)
    assert next(steps) == (TASKS[0], RESULT, TASKS[0])
    steps.close()
    no_process_is_left()


def test_processes_hold_no_pipes_of_others() -> None:
    """A program that waits for the end of its input, as git does, would wait for them."""
    readable, writable = os.pipe()
    steps = in_turn(TASKS, work, 2)
    next(steps)
    os.close(writable)
    assert os.read(readable, 1) == b""
    os.close(readable)
    steps.close()


def test_two_at_a_time_end_alone() -> None:
    """The processes of one have not the pipes by which those of the other end."""
    first, second = (in_turn(TASKS, endless, 1) for _ in range(2))
    next(first)
    next(second)
    first.close()
    assert len(multiprocessing.active_children()) == 1
    second.close()
    no_process_is_left()


# any executor


def test_an_executor_of_threads() -> None:
    """An exception is in the future of its task; the window bounds what is under way."""
    begun: list[int] = []

    def doubled(number: int) -> int:
        begun.append(number)
        return 20 // number

    tasks = [4, 2, 0, 1]
    found = list(
        run(lambda _: ThreadPoolExecutor(2), tasks, lambda executor, task: executor.submit(doubled, task), 2)
    )
    assert [(task, is_over) for task, _, is_over in found] == [(task, True) for task in tasks]
    values = [future.exception() or future.result() for _, future, _ in found if future]
    assert values[:2] == [5, 10]
    assert isinstance(values[2], ZeroDivisionError)
    assert values[3:] == [20]


# how processes are started


SCRIPT = """
import multiprocessing, sys, threading
from urlextract import index_sources

def main():
    if sys.argv[1] != "thread":
        multiprocessing.set_start_method(sys.argv[1])
    thread = threading.Thread(target=event.wait)
    if sys.argv[1] == "thread":
        thread.start()
    print(index_sources(sys.argv[2], sys.argv[3], jobs=2))
    event.set()

event = threading.Event()
if __name__ == "__main__":
    main()
"""


WAITING = """
import multiprocessing, sys
from test_runner import in_turn, waiting
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    for step in in_turn(range(3), waiting, 2):
        print(step[2], flush=True)
"""


def waiting(task: int, _: Tell) -> Iterator[int]:
    yield os.getpid()
    time.sleep(1_000)


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("how", METHODS)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_program(how: str, number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(WAITING)
    path = os.pathsep.join([str(Path(__file__).parent), ENVIRONMENT["PYTHONPATH"]])
    with subprocess.Popen(
        [sys.executable, tmp_path / "script.py", how], env={**ENVIRONMENT, "PYTHONPATH": path},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as program:  # fmt: skip
        assert program.stdout
        assert program.stderr
        process = int(program.stdout.readline())
        assert is_there(process)
        program.send_signal(number)
        assert program.stderr.read() == b""  # which all of them have
        program.wait(LIMIT)
    wait_until(lambda: not is_there(process), "the process to end")


@pytest.mark.parametrize("how", ["thread", *METHODS])
def test_a_program_that_uses_the_library(how: str, tmp_path: Path) -> None:
    """It chooses how processes are started; if it has threads, they are not forked.

    Modules that others have planted in the current directory are not imported.
    """
    script = tmp_path / "bin" / "script.py"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    for name in ("multiprocessing", "tempfile", "encodings", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')\n")
    mail = b"From a Mon Nov 14 09:12:44 1994\nSubject: %d\n\nhttp://a.example/\n\n"
    (tmp_path / "box").write_bytes(b"".join(mail % number for number in range(9_000)))
    words = [sys.executable, script, how, f"{how}.db", "box"]
    ran = subprocess.run(
        words, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, timeout=LIMIT, check=False
    )
    assert ran.stderr == b""
    assert ran.stdout == b"IndexRun(messages=9000, places=9000, urls=1, damaged=0, gone=())\n"
