"""Charts, where the extra "bench" is installed."""

from typing import Any

from bench.report import BenchError


def open_pyplot() -> Any:
    """matplotlib.pyplot, for drawing into files. Raises BenchError without it."""
    try:
        import matplotlib
    except ImportError as error:
        raise BenchError("a chart needs a package: .venv/bin/python -m pip install matplotlib") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
