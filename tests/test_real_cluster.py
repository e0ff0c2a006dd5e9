"""Clusters of real processes that are killed and stopped, a full disk, Dask, a local S3, and DuckDB."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import clusters
import psutil
import pytest
from clusters import files_in, parts_in, plant, records_of_one, with_reader
from commands import COMMAND, ENVIRONMENT, run
from indexes import rows, small_disk
from manual import MAN, plain
from realtools import LIMIT, ROOT, wait_until
from test_jobs import mailbox

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("distributed")

SLOW = "time.sleep(random.random() * 0.01)"


def slowed(folder: Path, size: int = 20_000) -> dict[str, str]:
    """Return an environment in which reading takes a while, so that something can happen meanwhile."""
    return with_reader(folder, each=SLOW, size=size)


def started(*words: object, **how: Any) -> subprocess.Popen[bytes]:
    how = {"env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([*COMMAND, "cluster", *map(str, words)], **how)


def workers_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the processes that read, without the one of Python's own that removes their semaphores."""
    with suppress(psutil.NoSuchProcess):
        children = psutil.Process(process.pid).children(recursive=True)
        return [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]
    return []


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs, or is stopped; one that nobody has waited for is dead."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def records_of(out: Path) -> list[str]:
    """Return the records of all parts; there must be nothing else."""
    assert files_in(out) == {"run.json"}
    return clusters.records_of(out)


def is_read(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Return whether a run has read all, and told nothing."""
    return (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("seed", range(2))
def test_workers_and_the_program_are_killed_at_any_moment(seed: int, tmp_path: Path) -> None:
    """Run again, in the end it has each record once."""
    chance = random.Random(seed)
    (tmp_path / "in").mkdir()
    # More than the runs that are killed can read, on a machine that has nothing else to do
    (tmp_path / "in" / "box").write_bytes(mailbox(5_000_000, each=600, seed=seed))
    (tmp_path / "in" / "text").write_text("see http://a.example/x or\n\n" * 4_000)
    words = ("--out", "out", "--workers", 2, "--retries", 50, "in")
    environment = slowed(tmp_path)
    killed = 0
    for is_last in (False, False, True):
        before = len(parts_in(tmp_path / "out"))
        process = started(*words, cwd=tmp_path, env=environment)
        wait_until(
            lambda: len(parts_in(tmp_path / "out")) > before or process.poll() is not None,  # noqa: B023
            "a part of this run",
        )
        ends = float("inf") if is_last else time.monotonic() + chance.uniform(1, 5)
        while process.poll() is None and time.monotonic() < ends:
            time.sleep(chance.uniform(0.2, 2))
            workers = workers_of(process)
            if workers and killed < 12:
                with suppress(psutil.NoSuchProcess):
                    chance.choice(workers).kill()
                    killed += 1
        orphans = workers_of(process)
        if not is_last:
            process.kill()
        output, errors = process.communicate(timeout=4 * LIMIT)
        wait_until(lambda: not any(map(is_alive, orphans)), "the workers to end")  # noqa: B023
    assert killed > 2
    assert (process.returncode, errors) == (0, b"")
    assert b" 0 failed, 0 removed; " in output
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)


@pytest.mark.parametrize(("number", "when"), [
    *((signal.SIGINT, when) for when in ("early", "late", "once")),
    (signal.SIGTERM, "once"), (signal.SIGHUP, "once"),
])  # fmt: skip
def test_a_stop_by_a_signal_is_orderly(number, when, tmp_path, heeded_signals):
    """No draft and no worker is left, as when Slurm ends a job, or a terminal is closed.

    Ctrl-C reaches the workers, too, also while they start. No process has a port.
    """
    (tmp_path / "box").write_bytes(mailbox(1_500_000, each=600))
    words = ("--out", "out", "--workers", 2, "box")
    process = started(*words, cwd=tmp_path, env=slowed(tmp_path), start_new_session=True)
    wait_until(lambda: workers_of(process) if when == "early" else parts_in(tmp_path / "out"), "work")
    if when == "late":
        next(iter(workers_of(process))).kill()  # the one in its place hears nothing either
        wait_until(lambda: workers_of(process), "another worker")
    workers = workers_of(process)
    for each in (psutil.Process(process.pid), *(workers if when != "early" else ())):
        assert each.net_connections("inet") == []  # nobody can connect to it
    process.send_signal(number) if when == "once" else os.killpg(process.pid, number)
    output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, output, errors) == (128 + number, b"", b"")
    wait_until(lambda: not any(map(is_alive, workers)), "the workers to end")
    assert files_in(tmp_path / "out") <= {"run.json"}


def test_a_full_disk_ends_the_run_and_the_next_goes_on(tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(3_000_000, each=600))
    with small_disk(tmp_path / "disk", "256k") as disk:
        words = ("cluster", "--out", disk, "--workers", 2, "box")
        done = run(*words, cwd=tmp_path, env=with_reader(tmp_path, size=100_000))
        full = f"urlextract: {disk}: No space left on device: run again when there is room\n"
        assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", full)
        assert files_in(disk) == {"run.json"}
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        assert is_read(run(*words, cwd=tmp_path, env=with_reader(tmp_path, size=100_000)))
        assert records_of(disk) == records_of_one("box", cwd=tmp_path)


# a Dask cluster


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running(*words: object, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    how = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **how}
    process = subprocess.Popen(list(map(str, words)), **how)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def scheduler(
    protocol: str, *words: object, **environment: str
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler of Dask with two workers, elsewhere; yield its address, and it and the workers."""
    port = free_port()
    address = f"{protocol}://127.0.0.1:{port}"
    of_scheduler = ("--protocol", protocol, "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    of_worker = (address, "--nthreads", 1, "--no-dashboard", "--no-nanny")

    def dask(kind: str, *more: object) -> Any:
        command = (sys.executable, "-m", f"distributed.cli.dask_{kind}", *more, *words)
        return running(*command, cwd="/", env={**ENVIRONMENT, **environment})

    with dask("scheduler", *of_scheduler) as process:
        wait_until(lambda: is_open(port), "the scheduler")
        with dask("worker", *of_worker) as one, dask("worker", *of_worker) as two:
            yield address, [process, one, two]


LOST = "urlextract: the connection to the scheduler is lost: run again to go on\n"


@pytest.mark.parametrize("seed", range(2))
def test_a_worker_the_client_and_the_scheduler_are_killed_at_any_moment(seed: int, tmp_path: Path) -> None:
    """Names are those that were given, though the workers run elsewhere; each record is there once."""
    chance = random.Random(seed)
    (tmp_path / "large").write_bytes(mailbox(4_000_000, each=600, seed=seed))
    environment = slowed(tmp_path)
    words = ("--retries", 5, "--out", "out", "large", "--scheduler")
    for victim in ("client", "worker", "scheduler"):
        with scheduler("tcp", PYTHONPATH=environment["PYTHONPATH"]) as (address, processes):
            before = len(parts_in(tmp_path / "out"))
            client = started(*words, address, cwd=tmp_path, env=environment)
            wait_until(lambda: len(parts_in(tmp_path / "out")) > before, "a part of this run")  # noqa: B023
            time.sleep(chance.uniform(0, 2))
            {"client": client, "scheduler": processes[0], "worker": processes[1]}[victim].kill()
            time.sleep(chance.uniform(1, 3))
            if victim == "worker":
                client.kill()
            output, errors = client.communicate(timeout=LIMIT)
            if victim == "scheduler":
                assert (client.returncode, output, errors.decode()) == (2, b"", LOST)
    with scheduler("tcp", PYTHONPATH=environment["PYTHONPATH"]) as (address, processes):
        client = started(*words, address, cwd=tmp_path, env=environment)
        wait_until(lambda: client.poll() is not None or len(parts_in(tmp_path / "out")) > before, "a part")
        processes[1].kill()
        output, errors = client.communicate(timeout=2 * LIMIT)
    assert (client.returncode, errors.decode()) == (0, "")
    assert re.fullmatch(rb"parts: \d+ made, [1-9]\d* there before, 0 failed, 0 removed; .*\n", output)
    assert records_of(tmp_path / "out") == records_of_one("large", cwd=tmp_path)


def test_a_scheduler_with_encryption(tmp_path: Path) -> None:
    """The certificate is that of Dask's settings; there is nothing to warn of."""
    pytest.importorskip("cryptography")
    from distributed import Security

    (tmp_path / "box").write_bytes(mailbox(300_000, each=600))
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = Security.temporary()
    certificate.write_text(made.tls_client_cert)
    key.write_text(made.tls_client_key)
    set_up = {
        **ENVIRONMENT,
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(certificate),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": str(certificate),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": str(key),
    }
    with_keys = ("--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key)
    with scheduler("tls", *with_keys) as (address, _):
        how = ("cluster", "--scheduler", address, "--out", "out", "box")
        assert is_read(run(*how, cwd=tmp_path, env=set_up))
        done = run(*how, cwd=tmp_path)
    assert records_of(tmp_path / "out") == records_of_one("box", cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"perhaps check your TLS configuration" in done.stderr


@pytest.mark.parametrize("settings", [None, {"DASK_DISTRIBUTED__LOGGING": ""}, "logging:", "["], ids=str)
def test_what_is_no_scheduler_and_settings_of_dask_that_are_none_are_one_line(settings, tmp_path):
    address = f"tcp://127.0.0.1:{free_port()}"
    (tmp_path / "text").write_text("http://a.example/\n")
    if isinstance(settings, str):
        (tmp_path / "dask.yaml").write_text(f"distributed:\n  {settings}\n")
        settings = {"DASK_CONFIG": str(tmp_path)}
    environment = {**ENVIRONMENT, **(settings or {})}
    done = run("cluster", "--scheduler", address, "--out", "out", "text", cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    if not settings:
        assert done.stderr.decode() == f"urlextract: {address}: no scheduler answers in 15 seconds\n"
    assert not (tmp_path / "out").exists()


# with the extras, in an environment of their own


@pytest.fixture(scope="session")
def extras() -> str:
    """Return a Python with all extras and a local S3; made once, and kept for the next run of the tests."""
    import fcntl

    folder = Path(tempfile.gettempdir()) / f"urlextract-test-extras-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    python = folder / "bin" / "python"
    packages = (f"{ROOT}[cluster,parquet]", "moto[server]", "duckdb")
    wanted = f"{(ROOT / 'pyproject.toml').read_text()}{packages}"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists() or done.read_text() != wanted:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            for package in packages:
                installed = subprocess.run(
                    [*pip, package], check=False, capture_output=True, timeout=15 * LIMIT
                )
                if installed.returncode:
                    pytest.skip(f"{package} cannot be installed: {installed.stderr.decode()[-300:]}")
            done.write_text(wanted)
    return str(python)


SCRIPT_OF_STORE = """
import sys
import s3fs
system = s3fs.S3FileSystem()
verb, *words = sys.argv[1:]
if verb == "put":
    system.mkdir("bucket")
    system.put(words[0], words[1], recursive=True)
elif verb == "get":
    system.get(words[0], words[1], recursive=True)
elif verb == "write":
    system.pipe(words[0], words[1].encode())
elif verb == "list":
    print("\\n".join(system.find(words[0])))
"""


class Store:
    """A local S3, and Python with the extras."""

    def __init__(self, python: str, environment: dict[str, str]) -> None:
        self.python, self.environment = python, environment

    def __call__(self, *words: object) -> str:
        """Do what `SCRIPT_OF_STORE` says."""
        command = [self.python, "-c", SCRIPT_OF_STORE, *map(str, words)]
        return subprocess.run(
            command, env=self.environment, check=True, timeout=LIMIT, capture_output=True, text=True
        ).stdout

    def called(self, *words: object, **more: str) -> subprocess.CompletedProcess[bytes]:
        command = [self.python, "-m", "urlextract", *map(str, words)]
        environment = {**self.environment, **more}
        return subprocess.run(command, capture_output=True, timeout=4 * LIMIT, check=False, env=environment)


@pytest.fixture
def store(extras: str) -> Iterator[Store]:
    port = free_port()
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    with running(Path(extras).parent / "moto_server", "-H", "127.0.0.1", "-p", port):
        wait_until(lambda: is_open(port), "the local S3")
        address = f"http://127.0.0.1:{port}"
        yield Store(extras, {**ENVIRONMENT, "AWS_ENDPOINT_URL": address, **keys, "NO_PROXY": "127.0.0.1"})


def test_sources_and_parts_in_a_store_of_objects(store: Store, tmp_path: Path) -> None:
    """The records are those of the files, but for the names."""
    folder = tmp_path / "in"
    plant(folder, 200_000)
    (folder / "large text").write_bytes(b"http://t.example/\n\n" * 3_000)
    store("put", folder, "bucket/in")
    words = ("cluster", "--workers", 2, "--out", "s3://bucket/out", "s3://bucket/in")
    path = {"PYTHONPATH": with_reader(tmp_path, size=30_000)["PYTHONPATH"]}
    assert is_read(store.called(*words, **path))
    store("get", "bucket/out/", tmp_path / "out")
    expected = [line.replace(str(folder), "s3://bucket/in") for line in records_of_one(folder)]
    assert records_of(tmp_path / "out") == sorted(expected)
    parts = len(parts_in(tmp_path / "out"))
    assert (
        store.called(*words, **path)
        .stdout.decode()
        .startswith(f"parts: 0 made, {parts} there before, 0 failed, 0 removed; ")
    )
    for to in ("jsonl", "parquet"):  # an index of the parts
        out, index = f"s3://bucket/{to}", tmp_path / f"{to}.db"
        assert is_read(store.called("cluster", "--workers", 1, "--out", out, "--to", to, "s3://bucket/in"))
        assert is_read(store.called("index", index, "--from", out))
        assert rows(index, "SELECT count(*) FROM links") == [(len(expected),)]
    store("write", "bucket/in/mh/10", "http://other.example/")  # an object that has changed
    assert b", 0 failed, 1 removed; " in store.called(*words, **path).stdout
    for wrong, error in (
        (("--out", "s3://nowhere/out", "s3://bucket/none"), "s3://nowhere/out: cannot be written to: "),
        (("--out", tmp_path / "x", "s3://bucket/none"), "s3://bucket/none: no such object\n"),
        (("--out", tmp_path / "x", "s3://nowhere/x"), "s3://nowhere/x: "),
    ):
        done = store.called("cluster", *wrong)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert done.stderr.decode().startswith(f"urlextract: {error}")
        (tmp_path / "x" / "run.json").unlink(missing_ok=True)


def test_workers_and_the_program_are_killed_while_they_write_to_a_store(store: Store, tmp_path: Path) -> None:
    """Each object is there as a whole or not at all."""
    chance = random.Random(1)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "box").write_bytes(mailbox(1_000_000, each=600))
    store("put", tmp_path / "in", "bucket/in")
    environment = {**store.environment, **slowed(tmp_path, 40_000)}
    environment |= {key: value for key, value in store.environment.items() if key.startswith(("AWS", "NO_"))}
    words = ("--out", "s3://bucket/out", "--workers", 2, "--retries", 50, "s3://bucket/in")
    for is_last in (False, False, True):
        before = len(store("list", "bucket/out").split())
        command = [store.python, "-m", "urlextract", "cluster", *map(str, words)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(
            lambda: len(store("list", "bucket/out").split()) > before + 1 or process.poll() is not None,  # noqa: B023
            "a part of this run",
        )
        for _ in range(2):
            time.sleep(chance.uniform(0, 1))
            workers = [each for each in workers_of(process) if "spawn_main" in " ".join(each.cmdline())]
            if workers:
                with suppress(psutil.NoSuchProcess):
                    chance.choice(workers).kill()
        if not is_last:
            process.kill()
        output, errors = process.communicate(timeout=4 * LIMIT)
    assert (process.returncode, errors, b" 0 failed, 0 removed; " in output) == (0, b"", True)
    store("get", "bucket/out/", tmp_path / "out")
    expected = [
        line.replace(str(tmp_path / "in"), "s3://bucket/in") for line in records_of_one(tmp_path / "in")
    ]
    assert records_of(tmp_path / "out") == sorted(expected)


SCRIPT_OF_DUCKDB = """
import duckdb, json, os, sys
os.chdir(sys.argv[1])
results = [duckdb.sql(statement) for statement in sys.argv[2:]]
print(json.dumps([result.fetchall() for result in results if result is not None]))
"""
"""Run statements in a directory; print what those of them give that are queries."""


def test_the_recipes_of_the_manual_print_count_and_sort_the_records_of_parts(extras, tmp_path):
    """Each record once, those without a domain last."""
    parquet = pytest.importorskip("pyarrow.parquet")

    def rows_of(pattern: str) -> list[dict[str, Any]]:
        tables = map(parquet.read_table, sorted(tmp_path.glob(pattern)))
        return [row for table in tables for row in table.to_pylist()]

    page = plain((MAN / "man1" / "urlextract-cluster.1").read_text())
    recipes = re.search(r"^(zstd .*)\n(SELECT domain.*?)\.fi$", page, re.MULTILINE | re.DOTALL)
    assert recipes
    shell, (counting, sorting, *_) = recipes[1], recipes[2].split(";")
    links = [f"http://h{each % 3}.d{each % 17}.com/{each % 7} mid:{each % 2}@x" for each in range(400)]
    (tmp_path / "text").write_text("\n\n".join(["http://\U0001f600.example/ http://\uffee.example/", *links]))
    for to in ("parquet", "jsonl"):
        words = ("cluster", "--workers", 1, "--to", to, "--out", to, "text", ROOT / "corpora")
        assert is_read(run(*words, cwd=tmp_path, env=with_reader(tmp_path)))
    (tmp_path / "links").symlink_to("parquet")
    command = [extras, "-c", SCRIPT_OF_DUCKDB, str(tmp_path), counting, sorting]
    printed = subprocess.run(command, check=True, capture_output=True, timeout=LIMIT).stdout
    of_parts = rows_of("parquet/*.parquet")
    assert len(of_parts) > 2_000
    in_order = sorted(of_parts, key=lambda row: (row["domain"] is None, row["domain"] or "", row["key"]))
    assert rows_of("by-domain.parquet") == in_order
    domains = [row["domain"] for row in of_parts]
    assert dict(json.loads(printed)[0]) == {domain: domains.count(domain) for domain in set(domains)}
    (tmp_path / "links").unlink()
    (tmp_path / "links").symlink_to("jsonl")
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, check=False)
    if done.returncode != 127:  # there is a zstd
        assert len(done.stdout.splitlines()) == len(of_parts)
