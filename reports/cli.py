"""The command `levelbook`: one module a subcommand, found by listing `reports/commands`.

Exit status: 0 fine, 1 findings of severity error, 2 bad usage or unreadable input. An error is one
line that says what, where and the remedy.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import click

from reports import commands


class _Commands(click.Group):
    """Imports a subcommand only when it is asked for, so that the command starts at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{commands.__name__}.{cmd_name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # `| head` has seen enough; click would exit with 1
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--database", metavar="FILE", help="Default: LEVELBOOK_DATABASE, else build/levelbook.duckdb."
)
@click.version_option(package_name="levelbook")
@click.pass_context
def cli(ctx: click.Context, database: str | None) -> None:
    """Benchmark logs of AI clusters in, a database that can be believed, a site to read."""
    from warehouse.database import database_path

    ctx.obj = database_path(database)


def main() -> None:
    """Runs the command line; every error ends as one line on standard error."""
    try:
        sys.exit(cli(standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except click.ClickException as error:
        _fail(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        _fail("stopped; the database is as it was", 130)
    except Exception as error:
        if os.environ.get("LEVELBOOK_TRACEBACK"):
            raise
        _fail(_one_line(error))


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}; check the path and its permissions"
    text = " ".join(str(error).split()) or type(error).__name__
    return text if _is_expected(error) else f"{text} ({type(error).__name__}; a fault of Levelbook)"


def _is_expected(error: Exception) -> bool:
    """Errors whose text was written for people, by the modules that raise them."""
    return type(error).__module__.split(".")[0] in ("ingest", "warehouse", "reports")


def _fail(message: str, status: int = 2) -> None:
    click.echo(f"levelbook: {message}", err=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
