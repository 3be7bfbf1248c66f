"""How a brain is used in `tabletop` and `saycan`: heed's own way, parts of it left out, and other papers' ways.

full, no-retrieval, no-learning, raw-history   console.py      the console prompting of Baermann et al. (2024)
cap, dynamic-cap                               cap.py          Code as Policies (Liang et al. 2023), and with a memory
helper                                         helper.py       HELPER (Sarch et al. 2023)

programs.py has what the last three share: a whole program is written for a command, and then run.
"""

from bench.baselines.table import METHODS, open_method

__all__ = ["METHODS", "open_method"]
