"""Sets paragraphs of plain text, separated by empty lines, with typogrify of Standard Ebooks."""

import html
import re
import sys

from se.typography import typogrify

# What typogrify adds for the breaking of lines, and the spaces that it gives to an ellipsis, are no marks.
JOINERS = dict.fromkeys(map(ord, "\u2060\ufeff"))
SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u200a"), " ")


def paragraph(text: str) -> str:
    marked = re.sub(r"_([^_]+)_", r"<em>\1</em>", html.escape(text, quote=False))
    shown = typogrify(f"<p>{marked}</p>").removeprefix("<p>").removesuffix("</p>")
    plain = html.unescape(re.sub(r"</?em>", "_", shown)).translate(JOINERS).translate(SPACES)
    return re.sub(r" +…", "…", plain).strip()


print("\n\n".join(paragraph(one.strip()) for one in sys.stdin.read().split("\n\n") if one.strip()))
