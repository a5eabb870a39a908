"""One subcommand a module; `command` is its click command."""
