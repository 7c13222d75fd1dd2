"""Foreign records as our events: one pure module a source, no I/O and no vendor import."""
