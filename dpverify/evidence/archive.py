"""A bundle's bytes: a zip of plain files, stored, in order, with one time for all, so that the same content has the
same bytes, and other bytes are another bundle."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from .refusal import Refusal, require

TIME = (1980, 1, 1, 0, 0, 0)
MOST_BYTES, MOST_FILES = 64_000_000, 500
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+")


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip, by name; raises Refusal for a name that is not one of a bundle."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            require(named_well(name), f"{name[:60]!r} is no name of a file in a bundle")
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, files[name])
    return target.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The files of a bundle; raises Refusal unless packing them again gives these very bytes."""
    require(len(data) <= MOST_BYTES, f"the bundle is larger than {MOST_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            require(len(entries) <= MOST_FILES, f"the bundle has more than {MOST_FILES} files")
            sizes = sum(entry.file_size for entry in entries)
            stored = all(entry.compress_type == zipfile.ZIP_STORED for entry in entries)
            require(stored and sizes <= MOST_BYTES, "its files are compressed, or larger than the bundle")
            files = {entry.filename: archive.read(entry) for entry in entries}
    except Refusal:
        raise
    except Exception as error:  # what zipfile raises of damaged bytes is not one family
        raise Refusal(
            f"not a zip that can be read ({type(error).__name__}): a byte was changed, or it is no bundle"
        ) from None
    require(packed(files) == data, "its bytes are not those of a bundle: something was changed, added or left over")
    return files


def named_well(name: str) -> bool:
    """Whether a name is a plain path of a file, of folders below the top."""
    parts = name.split("/")
    return len(name) <= 200 and all(part and part[0] != "." and set(part) <= LETTERS for part in parts)
