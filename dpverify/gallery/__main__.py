"""`python -m dpverify.gallery DIRECTORY` writes the gallery, profiles and compositions in folders of their own.

Each folder is written by a process, two at a time.
"""

from __future__ import annotations

from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from dpverify import files
from dpverify.gallery import compositions, mixtures, profiles, proofs

FOLDERS = {
    ".": proofs.certificates,
    "profiles": profiles.certificates,
    "composition": compositions.certificates,
    "mixtures": mixtures.certificates,
}


def written(directory: str, name: str) -> None:
    """Write the certificates of one folder, and say where."""
    folder = Path(directory) / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, data in FOLDERS[name]():
        files.write(folder / file, data)
        print(folder / file, flush=True)


def main(directory: str) -> None:
    """Write every certificate, and say where."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(partial(written, directory), FOLDERS))


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m dpverify.gallery", description="Write every certificate of the gallery.")
    parser.add_argument("directory", nargs="?", default="certificates", help="where to (default: %(default)s)")
    main(parser.parse_args().directory)
