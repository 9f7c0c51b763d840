"""What nbgrader runs on a submission, put in by `nbgrader_config.py`.

`RepairCells` comes before nbgrader's own look at a submission and mends what `ol
submit` mends. `JudgeInChild` stands in for the run of the notebook in a kernel: each
check cell gets the verdict of `ol check`, found in a child process with limits on time
and memory. So an endless loop or `os._exit` costs what it breaks and nothing else, and
the grade is the one that the learner saw.

A notebook that is not of this course goes through nbgrader's own hands.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

from ol import checking, codes, course, paths
from ol.rawcells import Raw, grade_id
from ol.repair import repair
from ol.report import pictures, terminal
from ol.verdict import Verdict


class RepairCells(NbGraderPreprocessor):  # type: ignore[misc]
    """Mend a submitted notebook against the released one; the log says what."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        notebook = _notebook(resources)
        if notebook is None:
            return nb, resources
        for change in repair(nb, _released(self, resources)):
            self.log.warning(f"{notebook.id}, {change.place}: {change.text}")
        return nbformat.from_dict(nb), resources


class JudgeInChild(Execute):  # type: ignore[misc]
    """Give each check cell what `ol check` says of it; run nothing in this process."""

    def preprocess(self, nb: Any, resources: Any, km: Any = None) -> tuple[Any, Any]:
        notebook = _notebook(resources)
        if notebook is None:
            ran: tuple[Any, Any] = super().preprocess(nb, resources, km)
            return ran
        verdicts = _verdicts(self, resources, notebook)
        for cell in nb.cells:
            name = str(grade_id(cell)).removesuffix("-check")
            if cell.cell_type == "code" and name in verdicts:
                outputs = _outputs(verdicts[name])
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
        return nb, resources


def _module(resources: Any) -> course.Module | None:
    return course.load().modules.get(resources["nbgrader"]["assignment"])


def _notebook(resources: Any) -> course.Notebook | None:
    """Return the notebook of the course that is being graded, if it is one."""
    module = _module(resources)
    id = resources["nbgrader"]["notebook"]
    return next((n for n in module.present() if n.id == id), None) if module else None


def _folder(preprocessor: Any, step: str, resources: Any) -> Path:
    """Return nbgrader's folder of a step: `submitted_directory` and the like."""
    owner = preprocessor
    while not hasattr(owner, "coursedir"):
        owner = owner.parent
    names = resources["nbgrader"]
    student = "." if step == "release_directory" else names["student"]
    coursedir = owner.coursedir
    directory = getattr(coursedir, step)
    return Path(coursedir.format_path(directory, student, names["assignment"]))


def _released(preprocessor: Any, resources: Any) -> Raw:
    """Return the notebook as it was handed out, by nbgrader or else by this clone."""
    names = resources["nbgrader"]
    folders = (
        _folder(preprocessor, "release_directory", resources),
        paths.notebooks(names["assignment"]),
    )
    for folder in folders:
        path = folder / f"{names['notebook']}.ipynb"
        if path.exists():
            released: Raw = nbformat.read(path, as_version=4)
            return released
    raise paths.ToolError(f"{names['notebook']}.ipynb was never released")


def _verdicts(
    preprocessor: Any, resources: Any, notebook: course.Notebook
) -> dict[str, Verdict]:
    module = _module(resources)
    assert module is not None
    folder = _folder(preprocessor, "autograded_directory", resources)
    state = codes.state_file(_folder(preprocessor, "submitted_directory", resources))
    if state.exists():  # which notebooks the reference stands in for, at 0 points
        shutil.copyfile(state, codes.state_file(folder))
    outcome = checking.check(module, str(folder), [notebook.id])
    return {verdict.check.name: verdict for verdict in outcome.verdicts}


def _outputs(verdict: Verdict) -> list[Raw]:
    """Return a verdict as the outputs from which nbgrader takes points and feedback."""
    if verdict.state == "pass":
        text = f"{verdict.pass_text}\n"
        return [{"output_type": "stream", "name": "stdout", "text": text}]
    text = terminal.failure_text(verdict)
    failed = {
        "output_type": "error",
        "ename": "CheckFailed",
        "evalue": verdict.state,
        "traceback": text.split("\n"),
    }
    drawings = pictures.html_of(verdict)
    drawn = {
        "output_type": "display_data",
        "data": {"text/html": drawings, "text/plain": "(pictures)"},
        "metadata": {},
    }
    return [drawn, failed] if drawings else [failed]
