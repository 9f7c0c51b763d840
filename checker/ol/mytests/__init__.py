"""A learner's own tests: do correct implementations pass, do wrong ones fail?"""

from __future__ import annotations

from ol.mytests.grading import Bench, Judged, Report, grade
from ol.mytests.worlds import Result, Test, of_function

__all__ = ["Bench", "Judged", "Report", "Result", "Test", "grade", "of_function"]
