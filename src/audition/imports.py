"""What is named as "module:object", imported."""

from importlib import import_module

from audition.errors import SetupError


def import_object(reference: str, *, named_at: str) -> object:
    """Return what "module:object" names.

    Args:
        reference: It, as it is written.
        named_at: Where it is written, for the text of an error.

    Raises:
        SetupError: The module cannot be imported, whatever it raises, or has no such object.

    """
    module, _, name = reference.partition(":")
    if not module or not name:
        msg = f'{named_at}: found {reference!r}; wanted "module:object"'
        raise SetupError(msg)
    try:
        imported = import_module(module)
    except Exception as error:  # its own code may raise anything: it is set up wrongly
        msg = f"{named_at}: {reference}: importing {module} raised {type(error).__name__}: {error}"
        raise SetupError(msg) from error
    try:
        return getattr(imported, name)
    except AttributeError:
        msg = f"{named_at}: {reference}: the module {module} has no {name}"
        raise SetupError(msg) from None
