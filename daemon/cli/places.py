"""`heed places`: where heed was told that it stands, without the daemon and beside it."""

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from daemon.config import ConfigError
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.place_book import Place, PlaceBook, tag_of
from daemon.names import spoken
from daemon.service.control import CommandError


def inspect_places(action: str, name: str, file: Path, as_json: bool) -> int:
    """List or forget. Raises CommandError and ConfigError, saying what to do."""
    if not file.exists():
        raise CommandError(f"there is no memory at {file} yet", "it is made when heed is started: make run")
    try:
        with closing(PlaceBook(file)) as book:
            if action == "forget":
                return _forget(book, name)
            found, tags = book.places(), book.tags()
    except MemoryFileError as error:
        raise CommandError(str(error)) from error
    if as_json:
        print(json.dumps([asdict(place) for place in found], indent=2))
    else:
        print("\n".join(map(_as_text, found)) or 'no place was taught yet; say "this place is the sink"')
        print("\n".join(f"tag {id:<16} on the {spoken(name)}" for id, name in tags.items()), end="\n" if tags else "")
    return 0


def _forget(book: PlaceBook, name: str) -> int:
    if not name:
        raise ConfigError("heed places forget needs the name of a place; heed places tells which there are")
    tag = tag_of(name)
    if not (book.forget(name) if tag is None else book.forget_tag(tag)):
        raise CommandError(f"there is no place {name!r}", "heed places tells which there are")
    print(f"forgotten: {name}")
    return 0


def _as_text(place: Place) -> str:
    high = f", {place.height:g} m high" if place.height else ""
    by = f"; taught by {place.taught_by}" if place.taught_by else ""
    return f"{place.name:20} {place.kind}{high}, at {place.x:.2f}, {place.y:.2f} m{by}"
