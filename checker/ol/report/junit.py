"""An outcome as JUnit XML, the form that CI systems read.

One testsuite per notebook, one testcase per check. `wrong`, `not_written` and `waiting`
are failures, `error` and `timeout` errors, `skipped` and `absent` skipped: so a file
without failures and errors is an outcome without anything to mend.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from ol import course
from ol.report import terminal
from ol.verdict import Outcome, Verdict

_ELEMENTS = {
    "wrong": "failure", "not_written": "failure", "waiting": "failure",
    "error": "error", "timeout": "error", "skipped": "skipped", "absent": "skipped",
}  # fmt: skip
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(outcome: Outcome, module: course.Module) -> str:
    """Return the whole file."""
    name = f"{outcome.module} of {outcome.code}"
    root = _counted("testsuites", name, outcome.verdicts)
    for notebook in module.notebooks:
        mine = [v for v in outcome.verdicts if v.check.notebook == notebook.id]
        if mine:
            root.append(_suite(outcome, notebook, mine))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(
    outcome: Outcome, notebook: course.Notebook, verdicts: Sequence[Verdict]
) -> ElementTree.Element:
    suite = _counted("testsuite", notebook.id, verdicts)
    properties = ElementTree.SubElement(suite, "properties")
    facts = {
        "title": notebook.title,
        "code": outcome.code,
        "points": str(sum(v.points[0] for v in verdicts)),
        "points_possible": str(sum(v.points[1] for v in verdicts)),
    }
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=_legal(value))
    for verdict in verdicts:
        suite.append(_case(outcome, verdict))
    return suite


def _counted(tag: str, name: str, verdicts: Sequence[Verdict]) -> ElementTree.Element:
    """Return an element with the numbers that both levels carry."""
    kinds = [_ELEMENTS.get(verdict.state) for verdict in verdicts]
    return ElementTree.Element(
        tag,
        name=_legal(name),
        tests=str(len(verdicts)),
        failures=str(kinds.count("failure")),
        errors=str(kinds.count("error")),
        skipped=str(kinds.count("skipped")),
        time=f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    )


def _case(outcome: Outcome, verdict: Verdict) -> ElementTree.Element:
    check = verdict.check
    case = ElementTree.Element(
        "testcase",
        classname=f"{outcome.module}.{check.notebook}",
        name=check.name,
        time=f"{verdict.seconds:.3f}",
    )
    element = _ELEMENTS.get(verdict.state)
    if element is not None:
        message = _legal(verdict.why or verdict.state)
        said = ElementTree.SubElement(case, element, message=message)
        if element != "skipped":
            said.set("type", verdict.state)
            said.text = _legal(terminal.failure_text(verdict))
    if verdict.printed:
        ElementTree.SubElement(case, "system-out").text = _legal(verdict.printed)
    return case


def _legal(text: str) -> str:
    """Spell out the characters that XML cannot hold."""
    return _NOT_XML.sub(lambda match: ascii(match[0])[1:-1], text)
