"""`levelbook formats`: what can be read."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """List the file formats that can be read."""
    from ingest.detect import formats

    for name, module in formats().items():
        click.echo(f"{name}: {module.DESCRIPTION} (parser version {module.VERSION})")
