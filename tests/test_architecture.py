"""What holds for the package as a whole: light imports, and a test file for every module."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "audition"
TESTS = Path(__file__).parent

TESTED_ELSEWHERE: dict[str, str] = {}
"""Modules without a test file of their own, and why."""

WATCHING = """
    errors values events inputs tool_rules records invocations output assembly collector
    completion recording runtime trace_context calls daemon_threads loop_guard supervision watch
    conversation endings run_case testing runtimes.function runtimes.replay runtimes.scripted
    adaptation trajectory headers files sessions matching.text matching.terms adapters.adk.session
    adapters.akgentic.session adapters.openai_chat.chat adapters.pydantic_ai
    adapters.otlp.session sources.addresses transcripts.telling
"""
HEAVY = (
    "pydantic_evals",
    "pydantic_ai",
    "rich",
    "opentelemetry",
    "typer",
    "fastapi",
    "logfire",
    "httpx",
)


def loaded_by(*modules: str) -> set[str]:
    """Return the top-level packages that a fresh process has after importing the modules."""
    script = (
        f"import {', '.join(modules)}, sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    )
    command = [sys.executable, "-c", script]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())  # noqa: S603  # our own script


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert not loaded_by("audition") & {*HEAVY, "pydantic", "anyio", "asyncio"}


def test_watching_needs_pydantic_and_anyio_alone() -> None:
    loaded = loaded_by(*(f"audition.{module}" for module in WATCHING.split()))
    needed = loaded - loaded_by("pydantic.dataclasses", "anyio") - sys.stdlib_module_names
    assert needed == {"audition"}


def test_statistics_need_the_standard_library_alone() -> None:
    modules = [
        f"audition.statistics.{one.stem}" for one in (SOURCE / "statistics").glob("[a-z]*.py")
    ]
    assert loaded_by(*modules) - loaded_by("json") - sys.stdlib_module_names == {"audition"}


def test_every_module_has_a_test_file_at_the_same_path() -> None:
    untested = [
        str(module.relative_to(SOURCE))
        for module in sorted(SOURCE.rglob("*.py"))
        if module.name not in {"__init__.py", "__main__.py"}
        and not (TESTS / module.relative_to(SOURCE).with_name(f"test_{module.name}")).exists()
    ]
    assert untested == sorted(TESTED_ELSEWHERE)


def test_the_map_has_the_layers_of_the_contract() -> None:
    table = (ROOT / "docs/architecture.md").read_text().partition("## Layers")[2]
    rows = re.findall(r"^\| (`.+?`) \|", table, flags=re.MULTILINE)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    assert [row.replace("`", "").replace(", ", " | ") for row in rows] == layers
