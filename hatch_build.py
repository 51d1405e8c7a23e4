"""The wheel carries the kernel packed into one file: share/dpverify/dpverify-kernel.pyz."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedKernel(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from dpverify import source
        finally:
            sys.path.remove(self.root)
        target = Path(self.root) / "build" / source.PACKED
        source.main(str(target))
        build_data["shared_data"][str(target)] = f"share/dpverify/{source.PACKED}"
