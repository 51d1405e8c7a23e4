"""Every section of the kernel is loaded before a test of the kernel is read."""

from __future__ import annotations

from dpverify.kernel import SECTIONS
from dpverify.kernel.certificate import load_section

for section in SECTIONS:
    load_section(section)
