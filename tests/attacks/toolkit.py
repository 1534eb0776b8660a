"""A small package such as the compiler stages, with one module of hostile code in it."""

from __future__ import annotations

from doc2tools.compiler.ir.exchange import ToolRun
from doc2tools.compiler.ir.plan import ToolCall
from doc2tools.sandbox.sandbox import Sandbox

CLIENT = """
import requests

BASE_URL = "{base_url}"


class Client:
    def __init__(self, base_url=None, *, session=None):
        self.base_url = base_url or BASE_URL
        self.session = session if session is not None else requests.Session()

    def get(self, path, **options):
        return self.session.get(self.base_url + path, timeout=5, **options)


_client = None


def client():
    return _client


def use(client):
    global _client
    _client = client
"""

HONEST = """
from ..client import client


def read(path="/honest"):
    response = client().get(path)
    return [response.status_code, response.text]
"""

FOUND = """
import gc


def find(name):
    return next(item for item in gc.get_objects() if type(item).__name__ == name)
"""


def toolkit(base_url: str, code: str = "") -> dict[str, str]:
    """Give the package's files; `code` is the hostile module."""
    return {
        "client.py": CLIENT.replace("{base_url}", base_url),
        "found.py": FOUND,
        "tools/honest.py": HONEST,
        "tools/hostile.py": code,
    }


def call(
    sandbox: Sandbox,
    root: str,
    function: str,
    *,
    module: str = "hostile",
    timeout: float = 8,
    alone: bool = False,
    **arguments: str,
) -> ToolRun:
    """Call one function of the package."""
    given = {"tool": function, "root": root, "module": f"tools.{module}", "function": function}
    made = ToolCall.model_validate({**given, "arguments": arguments, "timeout": timeout})
    return sandbox.run(made, alone=alone)
