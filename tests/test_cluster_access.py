"""Who can reach a cluster of this machine: its ports, its key, and what other users plant beside it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from clusters import with_reader
from commands import COMMAND, ENVIRONMENT, outcome, with_module
from realtools import LIMIT, wait_until

psutil = pytest.importorskip("psutil")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from collections.abc import Iterator

# As another user, if this is root: code is sent to each port, in all ways that need no key of the cluster
ATTACK = """
import asyncio, os, ssl, sys
import distributed, encodings.idna
from distributed.comm import connect
from distributed.protocol.pickle import dumps

own = distributed.Security.temporary().get_connection_args("client")["ssl_context"]
without = ssl.create_default_context()
for context in (own, without):
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
WAYS = {"plain": ("tcp", {}), "own certificate": ("tls", {"ssl_context": own}),
        "no certificate": ("tls", {"ssl_context": without})}

async def attack(port):
    for name in sys.argv[1].split(","):
        protocol, how = WAYS[name]
        for op in ("run", "run_function"):  # of workers and nannies, and of schedulers
            try:
                comm = await connect(f"{protocol}://127.0.0.1:{port}", timeout=5, **how)
                await comm.write({"op": op, "function": dumps(os.getuid), "reply": True})
                answer = await asyncio.wait_for(comm.read(), 5)
                result = "ran" if answer["status"] == "OK" else "refused"
            except Exception:
                result = "refused"
            print(port, name, op, result, sep=";")

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for port in sys.argv[2:]:
    asyncio.run(attack(port))
"""


@pytest.fixture
def held(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which readers wait until the file "go" is there."""
    (tmp_path / "text").write_text("http://a.example/\n")
    (tmp_path / "more").write_text("http://b.example/\n")
    begin = 'open(f"reading-{time.monotonic_ns()}", "x").close()'
    return with_reader(tmp_path, f"{begin}\n    while not os.path.exists('go'): time.sleep(0.02)")


def started(tmp_path: Path, held: dict[str, str], *words: object) -> subprocess.Popen[Any]:
    return subprocess.Popen(
        [*COMMAND, "cluster", "--out", "out", *map(str, words)],
        cwd=tmp_path, env=held, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@contextmanager
def reading(tmp_path: Path, held: dict[str, str], *words: object) -> Iterator[subprocess.Popen[Any]]:
    """Run a cluster, all of whose workers are reading; in the end it must be a clean run."""
    count = 1 if "1" in words else 2
    process = started(tmp_path, held, *words, "text", "more")

    def are_reading() -> bool:
        return len(list(tmp_path.glob("reading-*"))) == count or process.poll() is not None

    try:
        wait_until(are_reading, "the workers")
        yield process
        (tmp_path / "go").touch()
        output, _ = process.communicate(timeout=LIMIT)
        assert process.returncode == 0
        assert output.startswith("2 shards done, 0 skipped, 0 failed; 0 messages, 2 URLs\n")
        assert list((tmp_path / "tmp").iterdir()) == []
    finally:
        process.kill()
        process.wait()


def tree_of(process: subprocess.Popen[Any]) -> list[Any]:
    main = psutil.Process(process.pid)
    return [main, *main.children(recursive=True)]


def ports_of(processes: list[Any]) -> list[int]:
    """Return the ports on which processes listen; all must be of this machine alone."""
    found = [each for one in processes for each in one.net_connections("inet") if each.status == "LISTEN"]
    assert {each.laddr.ip for each in found} <= {"127.0.0.1"}
    return [each.laddr.port for each in found]


def attacked(ports: list[int], ways: str = "plain,own certificate,no certificate") -> list[str]:
    """Return what came of attacks on ports."""
    done = subprocess.run(
        [sys.executable, "-c", ATTACK, ways, *map(str, ports)],
        env=ENVIRONMENT, cwd="/", text=True, capture_output=True, timeout=2 * LIMIT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 * len(ports) * len(ways.split(","))
    return lines


def test_one_worker_opens_no_port(tmp_path: Path, held: dict[str, str]) -> None:
    with reading(tmp_path, held, "--workers", "1") as process:
        assert ports_of(tree_of(process)) == []
        assert len(tree_of(process)) == 1


@pytest.mark.parametrize("words", [("--workers", "2"), ("--workers", "1", "--shard-timeout", "600")])
def test_no_port_of_a_cluster_of_processes_runs_the_code_of_others(
    words: tuple[str, ...], tmp_path: Path, held: dict[str, str]
) -> None:
    """Those of the scheduler, and of each worker and its nanny; there are no others."""
    with reading(tmp_path, held, *words) as process:
        ports = ports_of(tree_of(process))
        assert len(ports) == 1 + 2 * int(words[1])
        assert [line for line in attacked(ports) if not line.endswith(";refused")] == []


OPEN = """
import sys
from distributed import Security
from urlextract.cluster.local import _started

with _started(1, {"protocol": "tcp://", "security": Security(), "host": "127.0.0.1"}):
    print(flush=True)
    sys.stdin.read()
"""


def test_the_attack_succeeds_on_each_port_without_a_key() -> None:
    """Else the test before this one could not fail."""
    with subprocess.Popen(
        [sys.executable, "-c", OPEN], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        lines = attacked(ports_of(tree_of(process)), "plain")
        process.stdin.close()
    ran = [line.split(";")[2] for line in lines if line.endswith(";ran")]
    assert sorted(ran) == ["run", "run", "run_function"]


def test_the_key_is_in_no_place_that_others_can_read(tmp_path: Path, held: dict[str, str]) -> None:
    with reading(tmp_path, held, "--workers", "2") as process:
        for each in tree_of(process):
            assert "BEGIN" not in " ".join(each.cmdline())
            assert "BEGIN" not in str(each.environ())
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "tmp").iterdir()}
        assert set(modes.values()) == {0o700}
        contents = [path.read_bytes() for path in (tmp_path / "tmp").rglob("*") if path.is_file()]
        assert b"BEGIN" not in b"".join(contents)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_modules_that_others_planted_are_not_imported(workers: str, tmp_path: Path) -> None:
    """In the current directory, and in the directory of Dask in that of temporary files."""
    mark = tmp_path / "mark"
    for folder in (tmp_path / "here", tmp_path / "tmp" / "dask-scratch-space"):
        folder.mkdir(parents=True)
        for name in ("multiprocessing", "tempfile", "bokeh", "jinja2", "encodings", "sitecustomize"):
            (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\nraise SystemExit(1)\n")
    (tmp_path / "here" / "text").write_text("http://a.example/\n")
    script = tmp_path / "bin" / "command"
    script.parent.mkdir()
    script.write_text("from urlextract.__main__ import main\nif __name__ == '__main__':\n    main()\n")
    done = subprocess.run(
        [sys.executable, script, "cluster", "--workers", workers, "--out", tmp_path / "out", "text"],
        cwd=tmp_path / "here", env={**ENVIRONMENT, "TMPDIR": str(tmp_path / "tmp")},
        text=True, capture_output=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert not mark.exists()
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stopped_run_of_one_worker_leaves_no_draft(tmp_path: Path, held: dict[str, str]) -> None:
    """The part may be done before the signal is heeded."""
    process = started(tmp_path, held, "--workers", 1, "text")
    wait_until(lambda: list(tmp_path.glob("out/.part-*")), "a draft")
    process.send_signal(signal.SIGTERM)
    (tmp_path / "go").touch()
    assert process.communicate(timeout=LIMIT) == ("", "")
    assert process.returncode == 128 + signal.SIGTERM
    assert all(path.name.startswith("part-") for path in (tmp_path / "out").iterdir())
    assert list((tmp_path / "tmp").iterdir()) == []


def test_one_worker_needs_no_key(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("http://a.example/\n")
    environment = with_module(tmp_path, "cryptography", "raise ImportError\n")
    words = ("cluster", "--workers", 1, "--out", "out", "text")
    status, output, errors = outcome(*words, cwd=tmp_path, env=environment)
    assert (status, errors) == (0, "")
    assert output.startswith("1 shard done, 0 skipped, 0 failed; 0 messages, 1 URL\n")
