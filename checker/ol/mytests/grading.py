"""How good are tests? Their validity, thoroughness, precision and usefulness.

After Wrenn and Krishnamurthi, "Executable Examples for Programming Problem
Comprehension" (ICER 2019): a test is valid when correct implementations pass it, and a
suite is thorough when wrong ones do not. Precision: mistakes that make different tests
fail can be told apart. Usefulness: a test that no mistake fails says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ol import course, paths
from ol.codes import reference
from ol.implementation import Implementation
from ol.mutants import (
    CATALOGUE,
    CannotPlantError,
    forget_caches,
    interface_of,
    noting,
    plant_in,
)
from ol.mytests.worlds import Result, Test, run
from ol.package import PackageImplementation

SECOND = "checker/tests/second"


@dataclass
class Judged:
    """One test: why it counts for nothing ("" where it does count), what it catches."""

    name: str
    invalid: str = ""
    vacuous: str = ""
    not_written: bool = False
    catches: list[str] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        return not (self.invalid or self.vacuous or self.not_written)


@dataclass
class Report:
    """What became of a learner's tests; counts are (how many, of how many)."""

    tests: list[Judged]
    mutants: list[str]
    hint: str = ""

    @property
    def written(self) -> list[Judged]:
        return [test for test in self.tests if not test.not_written]

    @property
    def caught(self) -> list[str]:
        found = {id for test in self.tests for id in test.catches}
        return [id for id in self.mutants if id in found]

    @property
    def validity(self) -> tuple[int, int]:
        return sum(test.valid for test in self.written), len(self.written)

    @property
    def thoroughness(self) -> tuple[int, int]:
        return len(self.caught), len(self.mutants)

    @property
    def precision(self) -> tuple[int, int]:
        """Of the mistakes caught, how many sets of failing tests they make."""
        signatures = {
            tuple(test.name for test in self.tests if id in test.catches)
            for id in self.caught
        }
        return len(signatures), len(self.caught)

    @property
    def usefulness(self) -> tuple[int, int]:
        return sum(bool(test.catches) for test in self.tests), len(self.written)

    @property
    def score(self) -> float:
        """Thoroughness times validity, 0 to 1."""
        valid, written = self.validity
        caught, there = self.thoroughness
        return caught / there * valid / written if written and there else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "version": 1,
            "tests": [asdict(test) for test in self.tests],
            "mutants": self.mutants,
            "caught": self.caught,
            "validity": self.validity,
            "thoroughness": self.thoroughness,
            "precision": self.precision,
            "usefulness": self.usefulness,
            "score": round(self.score, 3),
            "hint": self.hint,
        }

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Report:
        tests = [Judged(**row) for row in table["tests"]]
        return cls(tests, list(table["mutants"]), table["hint"])


class Bench:
    """Two correct implementations, and the catalogue to plant in the first."""

    def __init__(self, module: course.Module) -> None:
        self._spaces = Implementation(module, reference(module)).namespaces()
        second = PackageImplementation((paths.root() / SECOND).resolve())
        self._correct = {
            "the reference": interface_of(self._spaces),
            "the second implementation": interface_of(second.namespaces()),
        }
        self.mutants = list(module.mutants)

    def judge(self, test: Test, ids: Sequence[str] | None = None) -> Judged:
        """Return what a test is worth against these mutants (all, if none is named)."""
        judged = Judged(test.name, vacuous=vacuous(test))
        results = {name: run(test, world) for name, world in self._correct.items()}
        if all(result.state == "not_written" for result in results.values()):
            judged.not_written = True
        else:
            judged.invalid = invalid(results)
        if judged.valid:
            judged.catches = [
                id for id in ids or self.mutants if self.planted(test, id) == "fails"
            ]
        return judged

    def planted(self, test: Test, id: str) -> str:
        """Return what a test does with a mistake planted: an error fails it, too."""
        forget_caches(self._spaces)
        try:
            with plant_in(self._spaces, CATALOGUE[id]):
                state = run(test, interface_of(self._spaces)).state
        except CannotPlantError:
            return "pass"
        finally:
            forget_caches(self._spaces)
        return "fails" if state == "error" else state

    def calls(self, test: Test, target: str) -> bool:
        """Say whether a test calls what a mutant is planted in."""
        called: set[str] = set()
        forget_caches(self._spaces)
        with plant_in(self._spaces, noting(target, called)):
            run(test, interface_of(self._spaces))
        return bool(called)

    def hint(self, tests: Sequence[Test], missed: Sequence[str]) -> str:
        """Say what the nearest missed mistake is about, without its name."""
        if not missed:
            return ""
        targets = dict.fromkeys(CATALOGUE[id].target for id in missed)
        calling = {t: sum(self.calls(test, t) for test in tests) for t in targets}
        nearest = max(missed, key=lambda id: calling[CATALOGUE[id].target])
        return CATALOGUE[nearest].pitfall


def grade(module: course.Module, tests: Sequence[Test]) -> Report:
    """Judge a learner's tests, all together."""
    bench = Bench(module)
    report = Report([bench.judge(test) for test in tests], bench.mutants)
    valid = {test.name for test in report.tests if test.valid}
    missed = [id for id in bench.mutants if id not in report.caught]
    report.hint = bench.hint([test for test in tests if test.name in valid], missed)
    return report


def invalid(results: Mapping[str, Result]) -> str:
    """Say why a test is not valid, "" where it is."""
    wrong = {name: r for name, r in results.items() if r.state != "pass"}
    if not wrong:
        return ""
    name, result = next(iter(wrong.items()))
    if result.state == "absent":
        return f"{name} has no `{result.said}`: test what the chapter's interface names"
    if result.state == "late":
        return f"on {name} {result.said}"
    if len(wrong) == len(results):
        return f"both correct implementations fail it: {result.said}"
    right = next(n for n in results if n not in wrong)
    return f"{right} passes it, {name}, as correct, does not: {result.said}"


def vacuous(test: Test) -> str:
    """Say why a test cannot fail, "" where it may."""
    nodes = list(ast.walk(ast.parse(test.source)))
    asserts = [node for node in nodes if isinstance(node, ast.Assert)]
    called = [
        getattr(node.func, "attr", getattr(node.func, "id", ""))
        for node in nodes
        if isinstance(node, ast.Call)
    ]
    if {"example", "raises", "fail"} & {*called} or any(
        isinstance(node, ast.Raise) for node in nodes
    ):
        return ""
    if not asserts:
        return "it asserts nothing, so nothing can fail it"
    if all(_is_constant(node.test) for node in asserts):
        return "what it asserts is true by itself"
    return ""


def _is_constant(node: ast.expr) -> bool:
    return not any(
        isinstance(part, ast.Name | ast.Call | ast.Attribute) for part in ast.walk(node)
    )
