"""A stepper as one HTML file: it asks for nothing outside, and says so in its CSP."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from html import escape
from pathlib import Path

from ol.steppers.scene import Scene

HERE = Path(__file__).parent
START = "\nstartPage(document);\n"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body class="ol-page">
<main id="ol-stepper"><noscript>{still}</noscript></main>
<script id="ol-scene" type="application/json">{scene}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def script() -> str:
    """Return the one module that shows a scene; it is kept as two files to be read."""
    parts = ("walk.js", "stepper.js")
    return "\n".join((HERE / part).read_text("utf-8") for part in parts)


def style() -> str:
    """Return the style sheet of a scene."""
    return (HERE / "stepper.css").read_text("utf-8")


def page(scene: Scene) -> str:
    """Return the scene as a self-contained HTML page."""
    code, look = script() + START, style()
    data = json.dumps(scene.spec, ensure_ascii=False, separators=(",", ":"))
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(look)}; "
        f"script-src {_hash(code)}"
    )
    return PAGE.format(
        policy=policy,
        title=escape(scene.title),
        style=look,
        still=escape(scene.still[0].alt),
        scene=data.replace("<", "\\u003c"),  # no </script> can end it early
        script=code,
    )


def _hash(text: str) -> str:
    digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
