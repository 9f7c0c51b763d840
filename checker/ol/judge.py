"""Run graded tests against code, in this process, and say what came of each.

The checker calls this in a child process (`ol.run`), a notebook in its kernel
(`ol.kernel`): the same test functions, the same verdicts.
"""

from __future__ import annotations

from collections.abc import Collection

from ol import codes, course, diagnose, paths
from ol.assist import assisted
from ol.course import Check
from ol.failure import Failure
from ol.graded import BoundedText, TestFunction, graded_functions, run_functions
from ol.guard import Guard
from ol.implementation import Implementation, Missing, Overlay
from ol.package import PackageImplementation
from ol.verdict import Verdict

_EXCEPTION = Exception  # the name in the builtins may be a changed one


class Judge:
    """Judges the checks of one module against one `Code`.

    A step check gets reference steps for everything before its exercise unless
    `strict`; a named test runs the code's own chain. `broken` cells are left out,
    `overlay` plants mutants (see `ol.implementation`).
    """

    def __init__(
        self,
        module: course.Module,
        code: codes.Code,
        *,
        strict: bool = False,
        broken: Collection[str] = (),
        overlay: Overlay | None = None,
    ) -> None:
        self.module = module
        self.code = code
        self.strict = strict
        self._broken = frozenset(broken)
        self._overlay = overlay
        self._reference = codes.reference(module)
        self._own: Implementation | None = None
        self._whole_reference: Implementation | None = None
        self._tests: dict[str, list[tuple[str, TestFunction]]] = {}
        self._guard = Guard()

    def run(self, check: Check) -> Verdict:
        """Judge one check; only a fault of the tool itself gets out as an exception."""
        functions = self.functions(check)
        verdict, fault = None, None
        try:
            verdict = self._judged(check, functions)
        except _EXCEPTION as error:  # with changed builtins the judge itself stumbles
            fault = error
        if changed := self._guard.mend():
            why = f"the code changes the checker or Python itself: {changed}"
            return Verdict(check, "error", why=why, failure=Failure(yours=why))
        if verdict is None:
            assert fault is not None
            raise fault
        return verdict

    def _judged(
        self, check: Check, functions: list[tuple[str, TestFunction]]
    ) -> Verdict:
        try:
            code = self._code_for(check)
        except Missing as error:
            return Verdict(check, error.state, why=str(error))
        views = dict(zip(course.NAMESPACES, code.view(check.notebook), strict=True))
        verdict = run_functions(check, functions, views)
        if isinstance(code, Implementation) and verdict.why.startswith("NameError"):
            for problem in code.problems.get(check.notebook, ())[:1]:
                verdict.why = f"{problem}. So then: {verdict.why}"
        return verdict

    def behaves_like(self, check: Check) -> list[str]:
        """Return the known mistakes that explain what the code answers; none, mostly.

        Of a step only the exercise is asked, among the reference's steps; of a named
        test the code's whole chain.
        """
        return self.explained(self.in_reference(check))

    def explained(self, code: Implementation | PackageImplementation) -> list[str]:
        """Return the known mistakes that explain what an implementation answers."""
        if self._whole_reference is None:
            self._whole_reference = Implementation(self.module, self._reference)
        with BoundedText().captured():
            try:
                spaces = self._whole_reference.namespaces()
                return diagnose.behaves_like(code.namespaces(), spaces)
            except (KeyboardInterrupt, paths.ToolError):
                raise
            except BaseException:  # an exit or an alarm in the code: nothing is known
                return []
            finally:
                self._guard.mend()

    def in_reference(self, check: Check) -> Implementation | PackageImplementation:
        """Return the reference with the code's own step in it, or the code itself."""
        if check.kind != "step" or self.code.package is not None:
            return self.own()
        mine, label = self.code.chain[check.notebook]
        reference = self._reference[check.notebook][0]
        names = [e.name for e in self.module.notebook(check.notebook).exercises]
        others = [name for name in names if name != check.name]
        chain = dict(self._reference)
        chain[check.notebook] = (assisted(mine, reference, others), label)
        return self._implementation(chain)

    def functions(self, check: Check) -> list[tuple[str, TestFunction]]:
        """Return the graded functions of a check, in file order."""
        if check.notebook not in self._tests:
            self._tests[check.notebook] = graded_functions(self.module, check.notebook)
        prefix = f"test_{check.name}"
        found = [
            (name, function)
            for name, function in self._tests[check.notebook]
            if name == prefix or name.startswith(f"{prefix}__")
        ]
        if not found:
            raise paths.ToolError(f"no graded test is called {prefix}")
        return found

    def _code_for(self, check: Check) -> Implementation | PackageImplementation:
        if self.code.package is not None:
            return self.own()
        return self.implementation(check)

    def own(self) -> Implementation | PackageImplementation:
        """Return the code itself, without reference steps in it."""
        if self.code.package is not None:
            return PackageImplementation(self.code.package)
        return self._chain()

    def implementation(self, check: Check) -> Implementation:
        """Return the instance that a check is judged on."""
        if check.kind == "step" and not self.strict and self.code.name != "ref":
            return self._assisted(check)
        return self._chain()

    def _implementation(self, chain: dict[str, codes.Labelled]) -> Implementation:
        return Implementation(self.module, chain, self._overlay, self._broken)

    def _chain(self) -> Implementation:
        """Return the code's own chain, the reference standing in for skipped
        notebooks.
        """
        if self._own is None:
            chain = dict(self.code.chain)
            for skipped in self.code.skipped:
                if skipped in self._reference:
                    chain[skipped] = self._reference[skipped]
            self._own = self._implementation(chain)
        return self._own

    def _assisted(self, check: Check) -> Implementation:
        chain: dict[str, codes.Labelled] = {}
        for notebook in self.module.present():
            mine = self.code.chain.get(notebook.id)
            reference = self._reference[notebook.id]
            names = [exercise.name for exercise in notebook.exercises]
            if notebook.id == check.notebook:
                if mine is None:
                    raise Missing(self.code.unreadable.get(notebook.id, "not started"))
                before = names[: names.index(check.name)]
                chain[notebook.id] = (assisted(mine[0], reference[0], before), mine[1])
                break
            chain[notebook.id] = reference
            if mine is not None and notebook.id not in self.code.skipped:
                chain[notebook.id] = (assisted(mine[0], reference[0], names), mine[1])
        return self._with_whole_notebooks(chain, check)

    def _with_whole_notebooks(
        self, chain: dict[str, codes.Labelled], check: Check
    ) -> Implementation:
        """Put the reference in place of an earlier notebook that does not execute."""
        while True:
            implementation = self._implementation(chain)
            for notebook_id in chain:
                if notebook_id == check.notebook:
                    return implementation
                names = course.public_names(self.module.notebook(notebook_id))
                reference = self._reference[notebook_id]
                if chain[notebook_id] is reference or not names:
                    continue
                loaded = implementation.notebook(notebook_id)
                if any(not hasattr(loaded, name) for name in names):
                    chain[notebook_id] = reference
                    implementation.close()
                    break
            else:
                return implementation
