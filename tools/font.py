"""The mathematics font of pages: a subset of Latin Modern Math, under a name of its own as its licence asks.

`python -m tools.font latinmodern-math.otf` (Debian: fonts-lmodern) writes dpverify/show/templates/math.woff2; it needs
fonttools and brotli. Only letters that formulas here are made of are kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "dpverify" / "show" / "templates" / "math.woff2"
NAME = "dpverify Math"
NOTICE = (
    "A subset, made for dpverify, of Latin Modern Math 1.959, copyright 2012-2014 B. Jackowski, P. Strzelczyk and "
    "P. Pianowski (on behalf of TeX Users Groups), under the GUST Font License. It is not Latin Modern Math: report "
    "nothing of it to its authors."
)
SIGNS = "−±·⋅…′∥‖⌊⌋⌈⌉∞∈∫∑∏√≤≥≠≈→⇒\u00d7\u2223\u211d\u2061\u2062"
RANGES = ((0x20, 0x7F), (0x391, 0x3D7), (0x1D434, 0x1D468), (0x1D6E2, 0x1D71C))
"""ASCII; Greek; italic Latin; italic Greek."""
MORE = (0x210E, 0x3F5, 0x3D5, 0x1D6A4, 0x1D6A5)


def main(path: str) -> None:
    """Write the subset of a font's file."""
    from fontTools import subset  # type: ignore[import-untyped]

    options = subset.Options()
    options.layout_features, options.hinting, options.name_IDs = [], False, [0, 1, 2, 3, 4, 5, 6, 13]
    font = subset.load_font(path, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes={*map(ord, SIGNS), *MORE, *(c for low, high in RANGES for c in range(low, high))})
    cutter.subset(font)
    named = {0: NOTICE, 1: NAME, 3: NAME, 4: NAME, 6: NAME.replace(" ", "")}
    for record in font["name"].names:
        if record.nameID in named:
            record.string = named[record.nameID]
    cff = font["CFF "].cff
    cff.fontNames[0] = NAME.replace(" ", "")
    top = cff.topDictIndex[0]
    top.FullName, top.FamilyName, top.Notice = NAME, NAME, NOTICE
    font.flavor = "woff2"
    font.save(str(TARGET))
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
