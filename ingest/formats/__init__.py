"""One module, one format: NAME, DESCRIPTION, VERSION, claims(head, name), parse(data, name)."""
