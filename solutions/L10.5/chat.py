"""Module L10.5: the chat template, and the shape of an error on the wire.

A chat model was trained on conversations written as one text, with marks between the
turns. The template is the program that writes it; it comes with the model, in Jinja's
language, so it runs in Jinja's sandbox: it can format text and do nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from jinja2.exceptions import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

# ChatML, as SmolLM2-Instruct has it: a conversation without a system message gets one.
CHATML = """\
{%- if messages[0]['role'] != 'system' -%}
<|im_start|>system
You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>
{% endif -%}
{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{{ message['content'] }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% endif -%}
"""


@dataclass(frozen=True)
class ApiError:
    """An answer that is no answer: an HTTP status, and what OpenAI's clients read.

    `param` names the field at fault, `code` is for programs; either may be None.
    """

    status: int
    message: str
    type: str = "invalid_request_error"
    param: str | None = None
    code: str | None = None

    def to_json(self) -> str:
        """Return the body: `{"error": {"message", "type", "param", "code"}}`."""
        error = {
            "message": self.message,
            "type": self.type,
            "param": self.param,
            "code": self.code,
        }
        return json.dumps({"error": error}, ensure_ascii=False)


class Template:
    """A model's chat template.

    Raises ValueError where the text is no template, or fails on a conversation.
    """

    def __init__(self, source: str = CHATML) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
        )
        environment.globals["raise_exception"] = _raise
        try:
            self._template = environment.from_string(source)
        except TemplateError as error:
            raise ValueError(f"this is no chat template: {error}") from error

    def render_messages(
        self,
        messages: Sequence[tuple[str, str]],
        bos: str = "",
        eos: str = "",
        *,
        add_generation_prompt: bool = True,
    ) -> str:
        """Return the conversation as the model reads it, up to where it has to go on.

        messages: (role, content) pairs, the oldest first; at least one.
        """
        if not messages:
            raise ValueError("a conversation needs at least one message")
        try:
            return self._template.render(
                messages=[{"role": role, "content": text} for role, text in messages],
                bos_token=bos,
                eos_token=eos,
                add_generation_prompt=add_generation_prompt,
            )
        except TemplateError as error:
            raise ValueError(f"the chat template fails here: {error}") from error


def _raise(message: str) -> None:
    """What templates call to refuse a conversation."""
    raise TemplateError(message)
