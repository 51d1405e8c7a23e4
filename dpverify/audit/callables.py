"""Functions that are called for samples, and the one that a text names."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from dpverify.errors import InputError

Sampler = Callable[[Any, int, np.random.Generator], Any]


def load_callable(text: str) -> Sampler:
    """The function named "package.module:function", searched for from the current folder too."""
    module_name, colon, name = text.partition(":")
    if not colon or not module_name or not name:
        raise InputError(f"the mechanism: {text[:60]!r} is not of the form package.module:function")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module_name)
        for part in name.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise InputError(f"the module {module_name} has no function {name}") from None
    except Exception as error:
        raise InputError(f"{module_name} cannot be imported ({type(error).__name__}: {first_line(error)})") from None
    if not callable(found):
        raise InputError(f"{text} cannot be called; it is of type {type(found).__name__}")
    sampler: Sampler = found
    return sampler


def first_line(error: Exception) -> str:
    """What an error of the called function says, in short."""
    return " ".join(str(error).split())[:200] or "no message"
