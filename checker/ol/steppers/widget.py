"""A stepper as a Jupyter widget: stepper.js in the browser, `step` and `text` shared.

Without a frontend (nbclient, an export, an untrusted notebook) the still pictures stand
in for it: they are the text/html of the same output.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from ol.steppers.page import script, style
from ol.steppers.scene import Scene


class Stepper(anywidget.AnyWidget):  # type: ignore[misc]
    """What `ol.explore`, `ol.watch_subset` and `ol.watch_minimize` return.

    `step` and `text` can be read and set; `state` follows from them. It is the DFA's
    state (-1 is DEAD), for watch_minimize the block of each state.
    """

    _esm = script()
    _css = style()
    scene = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    state = traitlets.Any()

    def __init__(self, scene: Scene) -> None:
        """Show a scene from its first step."""
        self._made_of = scene
        super().__init__(scene=scene.spec, text=scene.text)
        self._follow()

    @traitlets.observe("step", "text")  # type: ignore[untyped-decorator]
    def _follow(self, change: Any = None) -> None:
        self.state = self._made_of.state_at(self.step, self.text)

    @traitlets.validate("step")  # type: ignore[untyped-decorator]
    def _not_negative(self, proposal: Any) -> int:
        return max(0, int(proposal["value"]))

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget's own bundle with the still pictures beside it."""
        bundle = super()._repr_mimebundle_(**options)
        data, *rest = bundle if isinstance(bundle, tuple) else (bundle,)
        still = self._made_of.still
        data = {
            **(data or {}),
            "text/html": "".join(drawing.html for drawing in still),
            "text/plain": "\n\n".join([self._made_of.title, *(d.text for d in still)]),
        }
        return (data, *rest) if rest else data

    def __repr__(self) -> str:
        return f"<{self._made_of.title}; step {self.step}>"
