"""What `dpverify audit` is to audit, read from its options: the noise, the two inputs, and where samples come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpverify.algebraic import rational_above, rational_below
from dpverify.cli.options import integer, parameters
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.audit import BuiltIn, Files, Mechanism
    from dpverify.sampling import EllipticalNoise

SAMPLES = "100000"


@dataclass(frozen=True)
class InputPair:
    """How the two inputs lie, as it was typed."""

    axis: str | None
    shift: str | None
    centre: str | None
    neighbours: Path | None

    def check(self, sensitivity: str | None) -> None:
        """Raise InputError for options that contradict each other."""
        given = [
            name
            for name, value in (("--axis", self.axis), ("--sensitivity", sensitivity), ("--shift", self.shift))
            if value is not None
        ]
        if self.shift is not None and len(given) > 1:
            raise InputError(f"--shift and {given[0]} both say how the centres differ; leave one out")
        if self.neighbours is not None and (given or self.centre is not None):
            raise InputError(
                f"--neighbours and {(given or ['--centre'])[0]} both say what the inputs are; leave one out"
            )

    def vector(self, dimension: int, sensitivity: Fraction) -> list[float]:
        """The shift, d numbers."""
        if self.shift is not None:
            return _vector(self.shift, dimension, "--shift")
        if self.axis == "diagonal":
            return [float(sensitivity) / dimension**0.5] * dimension
        axis = 1 if self.axis is None else whole_number(self.axis, "--axis")
        if not 1 <= axis <= dimension:
            raise InputError(f"--axis: {axis} is no coordinate of {dimension} dimension(s)")
        return [float(sensitivity) if at == axis else 0.0 for at in range(1, dimension + 1)]


def _vector(text: str, dimension: int, name: str) -> list[float]:
    from dpverify.language import parse_rational

    found = [float(parse_rational(part, name)) for part in text.split(",")]
    if len(found) != dimension:
        raise InputError(f"{name}: {len(found)} number(s) for {dimension} dimension(s)")
    return found


class Setting:
    """The generator, if any, and how the two centres lie."""

    def __init__(
        self,
        generator: str | None,
        parameters: Mapping[str, Any],
        dimension: int | None,
        sensitivity: Fraction,
        scale: Fraction,
        place: InputPair,
    ) -> None:
        self.generator, self.parameters, self.dimension = generator, parameters, dimension
        self.sensitivity, self.scale, self.place = sensitivity, scale, place

    @classmethod
    def read(
        cls,
        proof: Mapping[str, Any] | None,
        generator: str | None,
        dimension: str | None,
        sensitivity: str | None,
        scale: str | None,
        param: tuple[str, ...],
        place: InputPair,
    ) -> Setting:
        """From a certificate's claim, or from the options; raises InputError for what cannot be used."""
        place.check(sensitivity)
        if proof is not None:
            sensitivity_proved, scale_proved = (Fraction(proof[name]) for name in ("sensitivity", "scale"))
            return cls(
                proof.get("generator"),  # a mixing law's noise is not drawn here
                proof["parameters"] if "generator" in proof else {},
                int(proof["dimension"]),
                sensitivity_proved,
                scale_proved,
                place,
            )
        return cls(
            generator,
            parameters(param),
            None if dimension is None else integer(dimension),
            # an irrational number is rounded to where the inputs are nearer: they are neighbours all the same
            _positive(rational_below(sensitivity or "1", "the sensitivity"), "the sensitivity"),
            _positive(rational_above(scale or "1", "the scale"), "the scale"),
            place,
        )

    def noise(self) -> EllipticalNoise | None:
        """The noise that GENERATOR stands for."""
        from dpverify.generators import Generator
        from dpverify.sampling import EllipticalNoise

        if self.generator is None:
            if self.parameters:
                raise InputError("--param needs a GENERATOR")
            return None
        generator = Generator(self.generator, 1 if self.dimension is None else self.dimension, self.parameters)
        return EllipticalNoise(generator, scale=self.scale)

    def shift(self, dimension: int) -> Any:
        """How far the second centre lies from the first, an array of d numbers."""
        import numpy as np

        return np.array(self.place.vector(dimension, self.sensitivity))

    def centre(self, dimension: int) -> Any:
        """The first centre, an array of d numbers."""
        import numpy as np

        text = self.place.centre
        if text is not None and self.generator is not None:
            raise InputError("--centre: a GENERATOR's noise lies around 0; leave one of them out")
        return np.zeros(dimension) if text is None else np.array(_vector(text, dimension, "--centre"))


def source_of(
    setting: Setting, p_file: Path | None, q_file: Path | None, mechanism: str | None, samples: str | None
) -> BuiltIn | Mechanism | Files:
    """What is audited: the built-in sampler, a mechanism, or files of samples; raises InputError for what is none."""
    from dpverify.audit import BuiltIn, Files, Mechanism

    if (p_file is None) != (q_file is None):
        raise InputError(f"--{'q' if q_file is None else 'p'} is missing: samples come in two files, --p and --q")
    if p_file is not None and mechanism is not None:
        raise InputError("give files (--p, --q) or --mechanism, not both")
    if mechanism is None and (setting.place.centre is not None or setting.place.neighbours is not None):
        raise InputError("--centre and --neighbours are inputs of a --mechanism")
    number = None if samples is None else whole_number(samples, "--samples")
    if p_file is not None and q_file is not None:
        files = Files.open(p_file, q_file, number)
        if setting.dimension not in (None, files.dimension):
            raise InputError(f"the files have {files.dimension} dimension(s), not {setting.dimension}")
        setting.dimension = files.dimension
        return files
    number = int(SAMPLES) if number is None else number
    d = 1 if setting.dimension is None else setting.dimension
    if d < 1:
        raise InputError(f"--dimension: {d} is not a positive integer")
    if mechanism is not None:
        if setting.place.neighbours is not None:
            return Mechanism(number, mechanism, neighbours=_pair(setting.place.neighbours))
        centre = setting.centre(d)
        return Mechanism(number, mechanism, (centre, centre + setting.shift(d)))
    noise = setting.noise()
    if noise is None:
        raise InputError("nothing to audit: give a GENERATOR, --p and --q, --mechanism, or --certificate")
    return BuiltIn(number, noise, setting.shift(d))


def whole_number(text: str, name: str) -> int:
    """The integer from 0 to 10^18 that a text is; raises InputError for any other."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InputError(f"{name}: {text[:40]!r} is not an integer from 0 to 10^18")
    return int(text)


def _pair(path: Path) -> tuple[Any, Any]:
    """The two inputs in a file: a JSON list of two, or an npz archive of two arrays."""
    import numpy as np

    try:
        if path.suffix.lower() == ".npz":
            with np.load(path, allow_pickle=False) as archive:
                pair = [archive[name] for name in archive.files]
        else:
            pair = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except Exception as error:
        raise InputError(f"{path}: not JSON or npz ({' '.join(str(error).split())[:160]})") from None
    if not isinstance(pair, list) or len(pair) != 2:
        raise InputError(f"{path}: does not hold two inputs, [D, D'] in JSON or two arrays in npz")
    return pair[0], pair[1]


def _positive(value: Fraction, what: str) -> Fraction:
    if not 0 < value < 10**300:
        raise InputError(f"{what}: {str(value)[:40]} is not a positive number that floating point can hold")
    return value
