"""Run as it is: `python -I -S dpverify/kernel CERTIFICATE.json ...`, wherever the folder lies."""

import sys

if not __package__:
    folder, _, name = sys.path.pop(0).rstrip("/\\").replace("\\", "/").rpartition("/")
    sys.path.append(folder or ".")
    __import__(f"{name}.main")
    sys.modules[f"{name}.main"].run()
else:
    from .main import run

    run()
