"""What a model computed once, kept in files: the least recently used go when the folder is full.

Every file may be deleted at any time. A file that was damaged is never handed out: content that did not come
from llama.cpp may end its process.
"""

import contextlib
import os
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SUFFIX = ".kv"
HEAD = struct.Struct("<8sIQ")  # magic, CRC-32 of the content, its length
MAGIC = b"heed-kv\1"


class KvFiles:
    """Byte arrays by name; a name may hold "/". Several processes may share a folder.

    With `folder` None, or a `limit` of 0 bytes, nothing is kept.
    """

    def __init__(self, folder: Path | None, limit: int) -> None:
        self.limit = limit if folder is not None else 0
        self._folder = folder or Path()
        self._sound: set[str] = set()

    def read(self, name: str) -> NDArray[np.uint8] | None:
        """The content, mapped and not copied; None when it is not there or damaged."""
        path = self._path(name)
        try:
            if not self.limit or path.stat().st_size <= HEAD.size:
                return None
            whole = np.memmap(path, np.uint8, "r")
            os.utime(path)
        except (OSError, ValueError):
            return None
        magic, checksum, length = HEAD.unpack(bytes(whole[: HEAD.size]))
        content = whole[HEAD.size :]
        if magic != MAGIC or length != content.size:
            return None
        if name not in self._sound:  # once is enough, and it takes longer than reading
            if zlib.crc32(content.data) != checksum:
                return None
            self._sound.add(name)
        return content

    def write(self, name: str, content: NDArray[np.uint8]) -> bool:
        """Keep the content; False when it cannot be kept, which is no error."""
        if not self._make_room(HEAD.size + content.size):
            return False
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
                try:
                    file.write(HEAD.pack(MAGIC, zlib.crc32(content.data), content.size))
                    file.write(content.data)
                    file.flush()
                    os.fsync(file.fileno())
                    os.replace(file.name, path)
                except OSError:
                    os.unlink(file.name)
                    raise
        except OSError:
            return False
        self._sound.add(name)
        return True

    def size(self, name: str) -> int | None:
        """Bytes on disk, None when it is not kept."""
        try:
            return self._path(name).stat().st_size if self.limit else None
        except OSError:
            return None

    def total(self) -> int:
        """Bytes of all files together."""
        return sum(size for _, size, _ in self._files())

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{SUFFIX}"

    def _make_room(self, size: int) -> bool:
        if size > self.limit:
            return False
        files = sorted(self._files())
        total = sum(length for _, length, _ in files)
        for _, length, path in files:
            if total + size <= self.limit:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            total -= length
        return True

    def _files(self) -> list[tuple[float, int, Path]]:
        """Last used, size and path of each file."""
        found = []
        for path in self._folder.rglob(f"*{SUFFIX}") if self.limit else ():
            with contextlib.suppress(OSError):
                about = path.stat()
                found.append((about.st_mtime, about.st_size, path))
        return found
