"""Fuzz, guided by coverage, for a given time; each failure becomes a case in ``tests/cases``.

    pip install '.[dev]'
    python tests/fuzz/run.py [--seconds N] [TARGET...]

Each target has N seconds (default: 60), in a process of its own; it begins with the
files of ``corpora`` and ``tests/cases``.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
LONGEST = 20_000  # bytes of an input; the hostile table has larger ones


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("targets", nargs="*")
    chosen, of_fuzzer = options.parse_known_args()
    if chosen.one:
        return fuzz(chosen.one, [*of_fuzzer, *chosen.targets])
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]
    from targets import TARGETS

    failed = [name for name in chosen.targets or TARGETS if not passes(name, chosen.seconds)]
    print(f"{len(failed)} targets failed: {', '.join(failed)}" if failed else "no target failed")
    return len(failed) > 0


def passes(name: str, seconds: int) -> bool:
    """Fuzz one target and keep the inputs that failed; return True if none did."""
    with tempfile.TemporaryDirectory() as folder:
        found, seeds = Path(folder, "found"), Path(folder, "seeds")
        found.mkdir()
        seeds.mkdir()
        for path in (*ROOT.glob("corpora/**/*"), *CASES.glob(f"{name}.*")):
            if path.is_file() and path.stat().st_size <= LONGEST:
                shutil.copy(path, seeds / hashlib.sha256(path.read_bytes()).hexdigest())
        done = subprocess.run(
            [sys.executable, __file__, "--one", name, str(seeds), f"-max_total_time={seconds}",
             f"-max_len={LONGEST}", "-timeout=60", "-rss_limit_mb=2048", f"-artifact_prefix={found}/"],
            capture_output=True, check=False,
        )  # fmt: skip
        for path in failures_in(found):
            case = CASES / f"{name}.{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
            shutil.copy(path, case)
            print(f"{name}: {case.relative_to(ROOT)}")
        lines = done.stderr.decode(errors="replace").splitlines()
        runs = next((line for line in reversed(lines) if line.startswith(("Done", "#"))), "")
        print(f"{name}: {'ok' if not done.returncode else 'failed'}; {runs.strip()}", flush=True)
        if done.returncode:
            print("\n".join(lines[-30:]))
    return done.returncode == 0


def failures_in(found: Path) -> list[Path]:
    """Return the inputs that failed, without those that the fuzzer found slow."""
    return sorted(path for path in found.iterdir() if not path.name.startswith("slow-unit-"))


def fuzz(name: str, arguments: list[str]) -> int:
    """Run the fuzzer in this process."""
    import atheris

    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]
    with atheris.instrument_imports(include=["urlextract"]):
        from targets import TARGETS
    atheris.Setup([sys.argv[0], *arguments], TARGETS[name])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
