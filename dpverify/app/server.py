"""The explorer's server: marimo's ASGI application on a socket of the loopback address, and nowhere else."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from dpverify.errors import InputError

HOST = "127.0.0.1"
MISSING = "the explorer needs marimo and more: pip install 'dpverify[app]'"


def serve(example: str | None, port: int, opened: Callable[[str], None]) -> None:
    """Serve the explorer until interrupted; `opened` is told its address once the socket listens.

    `port` 0 takes a free one. Raises InputError where the port is taken or marimo is missing.
    """
    try:
        import uvicorn
        from marimo import create_asgi_app
        from starlette.middleware.trustedhost import TrustedHostMiddleware
    except ImportError:
        raise InputError(MISSING) from None
    require_libraries()
    page = str(Path(__file__).with_name("explorer.py"))
    application = create_asgi_app(quiet=True, include_code=False).with_app(path="", root=page).build()
    # a name that resolves to the loopback address does not make a stranger's page this one's
    guarded = TrustedHostMiddleware(application, allowed_hosts=[HOST, "localhost"])
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except (OSError, OverflowError):
            raise InputError(f"--port: {port} cannot be used; leave it out for a free one") from None
        listening.listen()
        query = f"?{urlencode({'example': example})}" if example else ""
        opened(f"http://{HOST}:{listening.getsockname()[1]}/{query}")
        server = uvicorn.Server(uvicorn.Config(guarded, log_level="error", timeout_graceful_shutdown=2))
        server.run(sockets=[listening])


def require_libraries() -> None:
    """What the page needs beside marimo."""
    try:
        import jinja2
        import latex2mathml
        import matplotlib
    except ImportError:
        raise InputError(MISSING) from None
    assert jinja2 and latex2mathml and matplotlib
