"""heed's side as a client: connects as config.toml would, and calls what the case wants called.

python -m tests.mcp.conformance.client URL      # MCP_CONFORMANCE_SCENARIO names the case
"""

import json
import os
import sys
from typing import Any

from daemon.config import McpConfig
from daemon.mcp.outside_tools import OtherTools
from skills.skill import SkillContext, SkillError

NOBODY = SkillContext(None, dict)  # type: ignore[arg-type]
Calls = list[tuple[str, dict[str, Any]]]
CALLS: dict[str, Calls] = {
    "tools_call": [("add_numbers", {"a": 5, "b": 3})],
    "sse-retry": [("test_reconnection", {})],
    "http-standard-headers": [("test_headers", {})],
    "http-invalid-tool-headers": [
        ("valid_tool", {"region": "north"}),
        *((f"invalid_{what}", {"value": "x"}) for what in ("empty_header", "space_in_name", "colon_in_name")),
    ],
    "sep-2322-client-request-state": [
        ("test_mrtr_echo_state", {}),
        ("test_mrtr_unrelated", {}),
        ("test_mrtr_no_state", {}),
        ("test_mrtr_no_result_type", {}),
    ],
}


def main(url: str) -> None:
    calls = _calls()
    allowed = [name for name, _ in calls] or ["nothing"]
    tools = OtherTools(McpConfig(servers={"case": {"url": url, "tools": allowed}}))
    try:
        for name, arguments in calls:
            try:
                print(name, tools.skills[f"case_{name}"].bind(NOBODY)(**arguments))
            except KeyError:
                print(name, "left out:", tools.left_out)
            except SkillError as error:
                print(name, error)  # the case judges what was sent
    finally:
        tools.close()


def _calls() -> Calls:
    """Those of the case's own context, else of the table; none where connecting is all."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    told = [(call["name"], call["arguments"]) for call in context.get("toolCalls", [])]
    return told or CALLS.get(os.environ.get("MCP_CONFORMANCE_SCENARIO", ""), [])


if __name__ == "__main__":
    main(sys.argv[1])
