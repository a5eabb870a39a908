"""`levelbook serve`: look at the site."""

from __future__ import annotations

import functools
import http.server
from pathlib import Path

import click


@click.command()
@click.option("--output", default="build", show_default=True, help="Folder that holds site/.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
def command(output: str, port: int) -> None:
    """Serve the built site on this machine until stopped with Ctrl-C."""
    site = Path(output) / "site"
    if not (site / "index.html").is_file():
        raise click.UsageError(f"{site}: no site there; run `levelbook build` first")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise click.UsageError(
            f"port {port}: {error.strerror}; choose another with --port"
        ) from None
    with server:
        click.echo(f"http://127.0.0.1:{port} (stop with Ctrl-C)")
        server.serve_forever()
