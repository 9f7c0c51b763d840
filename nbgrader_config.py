"""nbgrader works on this module unmodified; `./ol dev build` fills
instructor/source.
"""

from pathlib import Path

here = Path(__file__).resolve().parent

c = get_config()  # noqa: F821  (nbgrader puts it there)
c.CourseDirectory.course_id = "ol"
c.CourseDirectory.root = str(here / "instructor")
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.py", ".*"]
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("not written yet")'}

# A submission is mended as `ol submit` does, then nbgrader has its own look; a check
# cell gets the verdict of `ol check`, from a child process. checker/GRADING.md says
# what that makes of copied cells, endless loops, os._exit and the like. Without these
# two lists nbgrader runs the notebooks in a kernel, where each of them can cost the
# assignment.
c.Autograde.sanitize_preprocessors = [
    "ol.grading.RepairCells",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "ol.grading.JudgeInChild",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# For kernels all the same: `nbgrader validate`, and notebooks of other courses.
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 120
c.Execute.error_on_timeout = {
    "ename": "Timeout",
    "evalue": "the cell ran longer than two minutes",
    "traceback": ["the cell ran longer than two minutes: an endless loop?"],
}
c.Execute.interrupt_on_timeout = True
