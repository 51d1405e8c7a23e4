"""Files: read no further than a limit, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from dpverify.errors import InputError

MOST = 20_000_000
"""Bytes of the largest file that is read."""


def read(path: str | Path, most: int = MOST) -> bytes:
    """The bytes of a file; raises InputError where it cannot be read or holds more than `most` bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({_reason(error)})") from None
    if len(data) > most:
        raise InputError(f"{path}: larger than {most} bytes")
    return data


def write(path: str | Path, data: bytes | str, anew: bool = False) -> None:
    """All of it or nothing: after a kill the file is the former one or the new one, never a part of either.

    The bytes go to a new file beside it, which takes its place once they are on the disk, with the permissions
    of the former one. A device, a pipe, and what a link points to are written where they are. Text is UTF-8.
    With `anew` no file is written over.

    Raises InputError where it cannot be written.
    """
    data = data.encode() if isinstance(data, str) else data
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data, anew)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be written ({_reason(error)})") from None


def _replace(target: Path, data: bytes, anew: bool) -> None:
    fresh = target.with_name(f".{target.name[:200]}.{os.urandom(4).hex()}")
    number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(number)
        if anew:
            os.link(fresh, target)
            fresh.unlink()
            return
        if target.exists():
            fresh.chmod(target.stat().st_mode & 0o777)
        os.replace(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or "its name is none that a file can have"
