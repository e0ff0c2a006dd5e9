"""Clusters of real processes that are killed and stopped, a full disk, a local S3, and Parquet."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import clusters
import psutil
import pytest
from clusters import listed, plant, with_reader
from commands import COMMAND, ENVIRONMENT, run
from realtools import LIMIT, ROOT, wait_until
from test_jobs import mailbox

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("distributed")


@pytest.fixture
def slowed(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which reading takes a while, so that something can happen meanwhile."""
    return with_reader(tmp_path, each="time.sleep(random.random() * 0.01)")


def started(*words: object, **how: Any) -> subprocess.Popen[bytes]:
    how = {"env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([*COMMAND, "cluster", *map(str, words)], **how)


def workers_of(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the processes that read."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children(recursive=True)
    return []


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs, or is stopped; one that nobody has waited for is dead."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def parts_in(out: Path) -> int:
    return len(list(out.glob("part-*")))


def records_of(out: Path) -> list[str]:
    """Return the records of all parts, sorted; the manifest names all, and there must be nothing else."""
    assert sorted(path.name for path in out.iterdir()) == sorted(["manifest.json", *listed(out)])
    return sorted(clusters.records_of(out))


def records_of_one(*words: object, **how: Any) -> list[str]:
    return sorted(clusters.records_of_one(*words, **how))


def is_read(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Return whether a run has read all, and told nothing."""
    return (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("seed", range(2))
def test_workers_and_the_program_are_killed_at_any_moment(
    seed: int, tmp_path: Path, slowed: dict[str, str]
) -> None:
    """Run again, in the end it has each record once."""
    chance = random.Random(seed)
    (tmp_path / "in").mkdir()
    # More than the runs that are killed can read, on a machine that has nothing else to do
    (tmp_path / "in" / "box").write_bytes(mailbox(5_000_000, each=600, seed=seed))
    (tmp_path / "in" / "text").write_text("see http://a.example/x or\n\n" * 4_000)
    words = ("--out", "out", "--workers", 2, "--shard-size", "20k", "--retries", 50, "in")
    killed = 0
    for is_last in (False, False, True):
        before = parts_in(tmp_path / "out")
        process = started(*words, cwd=tmp_path, env=slowed)
        wait_until(
            lambda: parts_in(tmp_path / "out") > before or process.poll() is not None,  # noqa: B023
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
    assert process.returncode == 0, errors
    assert b" 0 failed; " in output
    assert errors == b""
    assert records_of(tmp_path / "out") == records_of_one("in", cwd=tmp_path)


def test_a_worker_that_dies_at_the_start_is_no_traceback(tmp_path: Path) -> None:
    """The run goes on with other workers."""
    (tmp_path / "box").write_bytes(mailbox(30_000, each=600))
    process = started("--out", "out", "--workers", 2, "--shard-size", "20k", "box", cwd=tmp_path)
    wait_until(lambda: workers_of(process), "the first worker")
    for worker in workers_of(process):
        worker.kill()
    output, errors = process.communicate(timeout=4 * LIMIT)
    assert (process.returncode, errors) == (0, b"")
    assert b" 0 failed; " in output


OF_LARGE = ("--out", "out", "--workers", 2, "--shard-size", "50k", "box")


@pytest.mark.parametrize("is_early", [True, False])
def test_an_interrupt_at_the_terminal_is_no_traceback(
    is_early: bool, tmp_path: Path, slowed: dict[str, str], heeded_signals: None
) -> None:
    """Ctrl-C reaches the workers, too, also while they start."""
    (tmp_path / "box").write_bytes(mailbox(1_500_000, each=600))
    process = started(*OF_LARGE, cwd=tmp_path, env=slowed, start_new_session=True)
    if is_early:
        wait_until(lambda: workers_of(process), "the first worker")
    else:
        wait_until(lambda: parts_in(tmp_path / "out"), "the first part")
        next(iter(workers_of(process))).kill()  # the one in its place hears nothing either
        wait_until(lambda: len(workers_of(process)) == 2, "another worker")
    workers = workers_of(process)
    for each in (psutil.Process(process.pid), *(workers if not is_early else ())):
        assert each.net_connections("inet") == []  # nobody can connect to it
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, output, errors) == (130, b"", b"")
    wait_until(lambda: not any(map(is_alive, workers)), "the workers to end")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=str)
def test_a_stop_by_a_signal_is_orderly(
    number: signal.Signals, tmp_path: Path, slowed: dict[str, str], heeded_signals: None
) -> None:
    """No draft and no worker is left, as when Slurm ends a job, or a terminal is closed."""
    (tmp_path / "box").write_bytes(mailbox(1_500_000, each=600))
    process = started(*OF_LARGE, cwd=tmp_path, env=slowed)
    wait_until(lambda: parts_in(tmp_path / "out"), "the first part")
    workers = workers_of(process)
    process.send_signal(number)
    output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, output, errors) == (128 + number, b"", b"")
    if number == signal.SIGINT:
        wait_until(lambda: not any(map(is_alive, workers)), "the workers to end")
    assert not any(map(is_alive, workers))
    assert [path.name for path in (tmp_path / "out").iterdir() if not path.name.startswith("part-")] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a file system of 256 KiB."""
    path = tmp_path / "disk"
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(path)]
    mounted = subprocess.run(words, check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_full_disk_ends_the_run_and_the_next_goes_on(small_disk: Path, tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(mailbox(3_000_000, each=600))
    words = ("cluster", "--out", small_disk, "--workers", 2, "--shard-size", "100k", "box")
    done = run(*words, cwd=tmp_path)
    full = f"urlextract: {small_disk}: No space left on device: run again when there is room"
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [full]
    assert [path.name for path in small_disk.iterdir() if not path.name.startswith("part-")] == []
    plan = run("shards", "--shard-size", "2M", "box", cwd=tmp_path).stdout
    done = run("shard", "--plan", "-", "--number", 1, "--out", small_disk, data=plan, cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"No space left on device")) == (2, 1)
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    assert is_read(run(*words, cwd=tmp_path))
    assert records_of(small_disk) == records_of_one("box", cwd=tmp_path)


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
def scheduler(protocol: str, *words: object) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a scheduler of Dask with a worker elsewhere; return its address and its process."""
    port = free_port()
    address = f"{protocol}://127.0.0.1:{port}"
    alone = {"cwd": "/", "env": ENVIRONMENT}
    of_scheduler = ("--protocol", protocol, "--host", "127.0.0.1", "--port", port)
    of_worker = (address, "--nthreads", 2, "--no-dashboard")
    dask = (sys.executable, "-m", "distributed.cli.dask_scheduler")
    with running(*dask, *of_scheduler, "--dashboard-address", "127.0.0.1:0", *words, **alone) as process:
        wait_until(lambda: is_open(port), "the scheduler")
        dask = (sys.executable, "-m", "distributed.cli.dask_worker")
        with running(*dask, *of_worker, *words, **alone):
            yield address, process


def test_a_scheduler_of_others(tmp_path: Path) -> None:
    """Names are those that were given, though the workers run elsewhere; one line if the scheduler dies."""
    (tmp_path / "box").write_bytes(mailbox(300_000, each=600))
    (tmp_path / "large").write_bytes(mailbox(20_000_000, each=6_000))
    with scheduler("tcp") as (address, process):
        warned = f"urlextract: {address}: the connection is not encrypted, and whoever reaches this cluster "
        warned += "can run code on it\n"
        how = ("--scheduler", address, "--shard-size", "50k", "--out")
        done = run("cluster", *how, "out", "box", cwd=tmp_path)
        assert (done.returncode, done.stderr.decode()) == (0, warned)
        assert records_of(tmp_path / "out") == records_of_one("box", cwd=tmp_path)
        client = started(*how, "more", "large", cwd=tmp_path, env=ENVIRONMENT)
        wait_until(lambda: parts_in(tmp_path / "more"), "the first parts")
        process.kill()
        output, errors = client.communicate(timeout=LIMIT)
    lost = "urlextract: the connection to the scheduler is lost: run again to go on\n"
    assert (client.returncode, output, errors.decode()) == (2, b"", warned + lost)
    assert not (tmp_path / "more" / "manifest.json").exists()
    assert is_read(run("cluster", "--workers", 2, *how[2:], "more", "large", cwd=tmp_path))
    assert records_of(tmp_path / "more") == records_of_one("large", cwd=tmp_path)


def test_a_scheduler_of_others_with_encryption(tmp_path: Path) -> None:
    """The certificate is that of Dask's settings; there is nothing to warn of."""
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
        how = ("cluster", "--scheduler", address, "--shard-size", "50k", "--out", "out", "box")
        assert is_read(run(*how, cwd=tmp_path, env=set_up))
        done = run(*how, cwd=tmp_path)
    assert records_of(tmp_path / "out") == records_of_one("box", cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"perhaps check your TLS configuration" in done.stderr


def test_what_is_no_scheduler_is_one_line() -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    done = run("cluster", "--scheduler", address, "--out", "/nonexistent", "text")
    assert done.returncode == 2
    assert done.stderr.decode() == f"urlextract: {address}: no scheduler answers in 15 seconds\n"


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


def with_extras(python: str, *words: object, **how: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [python, "-m", "urlextract", *map(str, words)],
        capture_output=True, timeout=4 * LIMIT, check=False, **{"env": ENVIRONMENT, **how},
    )  # fmt: skip


def printed_by(python: str, script: str, *words: object) -> str:
    """Return what a script prints."""
    command = [python, "-c", script, *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, timeout=LIMIT).stdout.decode()


SCRIPT_OF_STORE = """
import json, sys
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
"""


@pytest.fixture
def store(extras: str) -> Iterator[dict[str, str]]:
    """Run a local S3; return the environment in which it is the store of s3://."""
    port = free_port()
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    with running(Path(extras).parent / "moto_server", "-H", "127.0.0.1", "-p", port):
        wait_until(lambda: is_open(port), "the local S3")
        address = f"http://127.0.0.1:{port}"
        yield {**ENVIRONMENT, "AWS_ENDPOINT_URL": address, **keys, "NO_PROXY": "127.0.0.1"}


def test_sources_and_parts_in_a_store_of_objects(extras: str, store: dict[str, str], tmp_path: Path) -> None:
    """The records are those of the files, but for the names."""
    folder = tmp_path / "in"
    plant(folder, 200_000)
    (folder / "large text").write_bytes(b"http://t.example/\n\n" * 3_000)

    def stored(*words: object) -> None:
        command = [extras, "-c", SCRIPT_OF_STORE, *map(str, words)]
        subprocess.run(command, env=store, check=True, timeout=LIMIT)

    def called(*words: object) -> subprocess.CompletedProcess[bytes]:
        return with_extras(extras, *words, env=store)

    stored("put", folder, "bucket/in")
    how = ("cluster", "--workers", 2, "--shard-size", "30k", "--out")
    words = (*how, "s3://bucket/out", "s3://bucket/in")
    assert is_read(called(*words))
    stored("get", "bucket/out/", tmp_path / "out")
    expected = [line.replace(str(folder), "s3://bucket/in") for line in records_of_one(folder)]
    assert records_of(tmp_path / "out") == sorted(expected)
    parts = len(list((tmp_path / "out").iterdir())) - 1
    assert called(*words).stdout.decode() == (
        f"0 shards done, {parts} skipped, 0 failed; 0 messages, 0 URLs\n"
    )
    # an index of the parts
    for to in ("jsonl", "parquet"):
        out, path = f"s3://bucket/{to}", tmp_path / f"{to}.db"
        done = called("cluster", "--workers", 1, "--out", out, "--to", to, "s3://bucket/in")
        assert done.returncode == 0
        for status in (0, 1):
            done = called("index", path, "--from", out)
            assert (done.returncode, done.stderr) == (status, b"")
        with closing(sqlite3.connect(path)) as index:
            assert index.execute("SELECT count(*) FROM links").fetchall() == [(len(expected),)]
    # an object that has changed since the plan
    plan = tmp_path / "plan"
    plan.write_bytes(called("shards", "s3://bucket/in/mh/10").stdout)
    stored("write", "bucket/in/mh/10", "http://other.example/")
    done = called("shard", "--plan", plan, "--number", 1, "--out", tmp_path / "x")
    assert done.returncode == 2
    assert b"s3://bucket/in/mh/10: has changed since the plan was made" in done.stderr
    # what is not there, and a bucket that is not; one that is to be written is told before anything is read
    for wrong, error in (
        ((*how, "s3://nowhere/out", "s3://bucket/none"), "s3://nowhere/out: cannot be written to: "),
        (("shards", "s3://bucket/none"), "s3://bucket/none: no such object"),
        (("shards", "s3://nowhere/x"), "s3://nowhere/x: "),
    ):
        done = called(*wrong)
        assert (done.returncode, done.stderr.count(b"\n"), done.stdout) == (2, 1, b"")
        assert done.stderr.startswith(f"urlextract: {error}".encode())


SCRIPT_OF_PARQUET = """
import glob, json, sys
from pyarrow import parquet
rows = [row for path in sorted(glob.glob(sys.argv[1])) for row in parquet.read_table(path).to_pylist()]
print(json.dumps(rows, default=lambda value: value.isoformat()))
print(parquet.read_schema(glob.glob(sys.argv[1])[0]).field("date").type)
"""


COMPUTED = ("domain", "key", "target", "target_domain", "context")


def test_parquet_has_the_records(extras: str, tmp_path: Path) -> None:
    corpora = ROOT / "corpora"
    odd = "Date: Mon, 14 Nov 1994 09:12:31 +0100\nSubject: \udcff http://s.example/\n\nhttp://b.example/\n"
    (tmp_path / "odd").write_bytes(odd.encode("utf-8", "surrogateescape"))
    words = ("cluster", "--workers", 1, "--to", "parquet", "--shard-size", "20k", "--out", tmp_path / "out")
    assert is_read(with_extras(extras, *words, corpora, tmp_path / "odd"))
    output = printed_by(extras, SCRIPT_OF_PARQUET, tmp_path / "out" / "part-*.parquet")
    rows, kind = output.splitlines()
    assert kind == "timestamp[us, tz=UTC]"
    found = json.loads(rows)
    expected = [json.loads(line) for line in records_of_one(corpora, tmp_path / "odd")]
    dates = {row["date"] for row in found if row["source"].endswith("odd")}
    assert dates == {"1994-11-14T08:12:31+00:00"}
    assert any(row["date"] is None and row["date_field"] for row in found) or all(
        row["date"] for row in found if row["date_field"]
    )
    computed = [[row.pop(name) for name in COMPUTED] for row in found]
    assert any(context for *_, context in computed)
    for row in found:
        row["date"] = row["date"] and row["date"].replace("+00:00", "Z")
    for record in expected:
        for key in ("v", "violations", "warnings", "parsed", "context"):
            del record[key]
    assert sorted(map(canonical, found)) == sorted(map(canonical, expected))


def statements_of_the_manual() -> list[str]:
    """Return the statements for DuckDB."""
    manual = (ROOT / "urlextract" / "share" / "man" / "man1" / "urlextract.1").read_text()
    _, variable, rest = manual.replace("\\-", "-").partition("SET VARIABLE ")
    return (variable + rest.partition(".fi")[0]).split(";")[:-1]


SCRIPT_OF_DUCKDB = """
import duckdb, json, os, sys
os.chdir(sys.argv[1])
results = [duckdb.sql(statement) for statement in sys.argv[2:]]
print(json.dumps([result.fetchall() for result in results if result is not None]))
"""
"""Run statements in a directory; print what those of them give that are queries."""


def test_duckdb_reads_the_parts_of_the_manifest(extras: str, tmp_path: Path) -> None:
    """By the lines of the manual; what others have replaced does not count."""
    begun, query, _ = statements_of_the_manual()
    words = ("cluster", "--workers", 1, "--to", "parquet", "--out", "out", "text")
    wrapped = "https://nam.safelinks.protection.outlook.com/?url=http%3A%2F%2Fwww.c.example.com%2F&data=x"
    context = f"see HTTP://www.A.example.org:80/x or {wrapped} now"
    for text in ("http://old.example.com/", context):
        (tmp_path / "text").write_text(f"{text}\n")
        assert with_extras(extras, *words, cwd=tmp_path).returncode == 0
    rows = "SELECT url, domain, key, target, target_domain, context FROM read_parquet(getvariable('names'))"
    output = printed_by(extras, SCRIPT_OF_DUCKDB, tmp_path / "out", begun, query, f"{rows} ORDER BY ALL")
    assert json.loads(output)[1:] == [
        [["example.com", 1], ["example.org", 1]],
        [["HTTP://www.A.example.org:80/x", "example.org", "http://www.a.example.org/x", None,
          "example.org", context],
         [wrapped, "outlook.com", wrapped, "http://www.c.example.com/", "example.com", context]],
    ]  # fmt: skip


def test_duckdb_sorts_the_records_of_the_parts_by_domain(extras: str, tmp_path: Path) -> None:
    """By the lines of the manual: each record once, those without a domain last, equal ones as in the run."""
    begun, _, copied = statements_of_the_manual()
    links = [f"http://h{each % 3}.d{each % 17}.com/{each % 7} mid:{each % 2}@x" for each in range(400)]
    (tmp_path / "text").write_text("\n\n".join(["http://\U0001f600.example/ http://\uffee.example/", *links]))
    words = ("cluster", "--workers", 1, "--to", "parquet", "--shard-size", "2k", "--out", "out")
    assert with_extras(extras, *words, "text", ROOT / "corpora", cwd=tmp_path).returncode == 0
    names = listed(tmp_path / "out")
    assert len(names) > 20
    printed_by(extras, SCRIPT_OF_DUCKDB, tmp_path / "out", begun, copied)

    def rows_of(name: str) -> list[dict[str, Any]]:
        output = printed_by(extras, SCRIPT_OF_PARQUET, tmp_path / "out" / name)
        rows: list[dict[str, Any]] = json.loads(output.splitlines()[0])
        return rows

    of_parts = [row for name in names for row in rows_of(name)]
    in_order = sorted(of_parts, key=lambda row: (row["domain"] is None, row["domain"] or "", row["key"]))
    assert rows_of("by-domain.parquet") == in_order
    assert {row["domain"] for row in of_parts} > {None, "d1.com"}


def canonical(record: dict[str, Any]) -> str:
    return json.dumps(record, sort_keys=True)


def test_index_of_parquet_is_one_made_directly(extras: str, tmp_path: Path) -> None:
    """And so is that of lines, but for the contexts."""
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "part.parquet").write_bytes(b"PAR1 and no more PAR1")
    rows = {}
    for to in ("parquet", "jsonl"):
        out, path = tmp_path / to, tmp_path / f"{to}.db"
        words = ("cluster", "--workers", 1, "--to", to, "--shard-size", "20k", "--out", out, ROOT / "corpora")
        assert with_extras(extras, *words).returncode == 0
        for status in (0, 1):
            done = with_extras(extras, "index", path, "--from", out)
            assert (done.returncode, done.stderr) == (status, b"")
        done = with_extras(extras, "index", path, "--from", tmp_path / "cut")
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert done.stderr.startswith(f"urlextract: {tmp_path / 'cut' / 'part.parquet'}: ".encode())
        rows[to] = links_of(path)
    assert run("index", tmp_path / "links.db", ROOT / "corpora").returncode == 0
    directly = links_of(tmp_path / "links.db")
    assert len(directly) > 2_000
    assert sorted(map(canonical, rows["parquet"])) == sorted(map(canonical, directly))
    without = [canonical({**row, "context": None}) for row in directly]
    assert sorted(map(canonical, rows["jsonl"])) == sorted(without)


def links_of(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as index:
        index.row_factory = sqlite3.Row
        return [{**row, "id": None} for row in map(dict, index.execute("SELECT * FROM links"))]
