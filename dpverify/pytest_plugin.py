"""pytest's door: the fixture `assert_private`, in every suite where dpverify is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(name="assert_private")
def assert_private_fixture() -> Callable[..., Any]:
    """`dpverify.audit.testing.assert_private`: an audit with a fixed seed and a stated false-alarm rate."""
    from dpverify.audit.testing import assert_private

    return assert_private
