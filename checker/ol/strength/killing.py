"""What the graded tests and the diagnosis make of changed code.

Every change gets a copy of this process, made by fork. Its exercise's step check runs
first, then the named tests of the code's whole chain, up to the first that fails. Where
that is a wrong answer the diagnosis is asked, as `ol check` asks it, and `held_out`
whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from ol import codes, course
from ol.course import Check
from ol.implementation import Implementation
from ol.judge import Judge
from ol.run.plants import Workers
from ol.strength import held_out
from ol.verdict import FAILED

_SECONDS = 12.0  # of silence: a check may take 10


@dataclass
class Subject:
    """Changed code: its name, what was changed where, and all of it."""

    id: str
    notebook: str
    exercise: str
    what: str
    code: codes.Code


@dataclass
class Finding:
    """What came of a subject; `killer` is empty where it survived."""

    id: str
    notebook: str
    exercise: str
    what: str
    killer: str = ""
    state: str = ""
    behaves_like: list[str] = field(default_factory=list)
    true: bool | None = None  # the diagnosis, by the held-out questions

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def judge_all(module: course.Module, subjects: Sequence[Subject]) -> Iterator[Finding]:
    """Yield a finding per subject, in their order, once all are judged."""
    reference = Implementation(module, codes.reference(module))
    reference.namespaces()  # loaded before the copies are made
    findings = {s.id: Finding(s.id, s.notebook, s.exercise, s.what) for s in subjects}
    workers = Workers(partial(_learn, findings), _SECONDS)
    for subject in subjects:
        workers.start(subject.id, partial(judge, module, subject, reference))
    workers.finish()
    yield from findings.values()


def checks_for(module: course.Module, subject: Subject) -> list[Check]:
    """Return the exercise's own check, and the named tests that may run its code; of
    a package all named tests.
    """
    named = [
        check
        for check in module.checks()
        if check.kind != "step" and module.is_present(check.notebook)
    ]
    if subject.code.package is not None:
        return named
    chains = {c.name: codes.chain_of(module, c.notebook) for c in named}
    using = [c for c in named if subject.notebook in chains[c.name]]
    return [module.check(subject.exercise), *using]


def judge(
    module: course.Module, subject: Subject, reference: Implementation
) -> Iterator[dict[str, Any]]:
    """Yield what each check says, then the diagnosis: see `Workers`."""
    judge = Judge(module, subject.code)
    for check in checks_for(module, subject):
        yield {"mutant": subject.id, "test": check.name, "started": True}
        state = judge.run(check).state
        yield {"mutant": subject.id, "test": check.name, "state": state}
        if state not in FAILED:
            continue
        if state == "wrong":
            like = judge.behaves_like(check)
            yield {"mutant": subject.id, "test": check.name, "like": like}
            if like:
                changed = judge.in_reference(check).namespaces()
                true = held_out.agrees(changed, reference.namespaces(), like)
                yield {"mutant": subject.id, "test": check.name, "true": true}
        return


def _learn(findings: dict[str, Finding], said: dict[str, Any]) -> None:
    finding = findings[said["mutant"]]
    if said.get("state") in FAILED:
        finding.killer, finding.state = said["test"], said["state"]
    if said.get("late") and not finding.killer:
        finding.killer, finding.state = said["running"], "timeout"
    finding.behaves_like = said.get("like", finding.behaves_like)
    finding.true = said.get("true", finding.true)
