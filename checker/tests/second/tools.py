"""The namespace `tools`."""

from .prompts import PastCall, render_assistant, render_messages, render_prompt
from .stream import (
    Arguments,
    CallStart,
    Content,
    ToolCall,
    ToolParser,
    collect,
    delta_json,
    finish_reason,
    hold_back,
    message_json,
)
from .tool_requests import (
    Grammar,
    ResponseFormat,
    Template,
    Tool,
    ToolChoice,
    ToolError,
    ToolRequest,
    grammar,
    grammar_to_dfa,
    parse_tool_request,
    vocab_bytes,
)

__all__ = [
    "Arguments", "CallStart", "Content", "Grammar", "PastCall", "ResponseFormat",
    "Template", "Tool", "ToolCall", "ToolChoice", "ToolError", "ToolParser",
    "ToolRequest", "collect", "delta_json", "finish_reason", "grammar",
    "grammar_to_dfa", "hold_back", "message_json", "parse_tool_request",
    "render_assistant", "render_messages", "render_prompt", "vocab_bytes",
]  # fmt: skip
