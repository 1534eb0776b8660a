"""The web application: MCP at `/mcp`, and for operators `/health` and `/metrics`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.middleware.cors import CORSMiddleware

from doc2tools.serve.mcp_server import ToolkitMCP
from doc2tools.serve.security import Guard
from doc2tools.serve.service import Service
from doc2tools.serve.settings import HttpOptions

MOUNTED = "/mcp"


@dataclass(frozen=True)
class Application:
    """A web application and the MCP server in it."""

    app: FastAPI
    mcp: ToolkitMCP


def make_app(service: Service, options: HttpOptions) -> Application:
    """Make the application.

    Args:
        service: What is offered.
        options: Whom to answer.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with mcp.sessions.run():
            yield
        service.close()

    app = FastAPI(
        title="doc2tools", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan
    )
    mcp = ToolkitMCP(app, service)
    mcp.mount_http(mount_path=MOUNTED)

    @app.get("/health", include_in_schema=False)
    async def health() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction] - a route
        return {"status": "ok"}

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:  # pyright: ignore[reportUnusedFunction] - a route
        return Response(service.metrics.text(), media_type=CONTENT_TYPE_LATEST)

    app.add_middleware(
        Guard, options=options, refused=lambda reason: service.metrics.refused.labels(reason).inc()
    )
    if options.allow_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(options.allow_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id"],
        )
    return Application(app, mcp)
