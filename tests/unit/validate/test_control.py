"""Control calls: at an address beside the one that answered, not below it."""

from __future__ import annotations

import pytest
from invented_api import endpoint

from doc2tools.compiler.ir.exchange import Exchange, Request, Response
from doc2tools.compiler.ir.spec import Endpoint
from doc2tools.compiler.validate.control import NONSENSE, Control

HOST = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("path", "documented", "control"),
    [
        ("/health", (), f"/{NONSENSE}"),  # `/health/anything` may be answered as `/health` is
        ("/api/health", (), f"/api/{NONSENSE}"),
        ("/api/v2/health", (), f"/api/{NONSENSE}"),
        ("/", (), f"/{NONSENSE}"),
        ("/health", (endpoint("/{name}"),), f"/health/{NONSENSE}"),
        ("/api/health", (endpoint("/api/{name}"),), f"/{NONSENSE}"),
    ],
)
def test_where_the_control_call_goes(
    path: str, documented: tuple[Endpoint, ...], control: str
) -> None:
    asked: list[str] = []

    def send(request: Request) -> Exchange:
        asked.append(request.url)
        return Exchange(request=request, response=Response(status=404))

    held = Exchange(request=Request(method="GET", url=HOST + path), response=Response(status=200))
    Control(send, documented).beside(held)
    assert asked == [HOST + control]
