"""`python -m dpverify.gallery DIRECTORY` writes the gallery, profiles and compositions in folders of their own."""

from __future__ import annotations

import sys
from pathlib import Path

from dpverify import files
from dpverify.gallery import compositions, mixtures, profiles, proofs

FOLDERS = {
    ".": proofs.certificates,
    "profiles": profiles.certificates,
    "composition": compositions.certificates,
    "mixtures": mixtures.certificates,
}


def main(directory: str) -> None:
    """Write every certificate, and say where."""
    for name, certificates in FOLDERS.items():
        folder = Path(directory) / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in certificates():
            files.write(folder / file, data)
            print(folder / file)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "certificates")
