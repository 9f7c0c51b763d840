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

# A deleted check cell comes back and counts as not passed; ids are repaired.
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 120
c.Execute.error_on_timeout = {
    "ename": "Timeout",
    "evalue": "the cell ran longer than two minutes",
    "traceback": ["the cell ran longer than two minutes: an endless loop?"],
}
c.Execute.interrupt_on_timeout = True
