#!/usr/bin/env python3
"""Puts what stands in the sources into the READMEs: the code of each `<!-- code: PATH -->` block, and, with a file that
holds a transcript of `script/run`, that transcript into the first ```text block."""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
part = re.compile(r"^[ ]*// readme: begin\n(.*?)^[ ]*// readme: end\n", re.S | re.M)


def code(match):
    content = (root / match[1]).read_text()
    found = part.search(content)
    body = textwrap.dedent(found[1]) if found else content
    return f"<!-- code: {match[1]} -->\n```swift\n{body.strip()}\n```"


for name in ["README.md", "README.zh.md"]:
    page = root / name
    text = re.sub(r"<!-- code: ([^ ]+) -->\n```swift\n.*?```", code, page.read_text(), flags=re.S)
    if len(sys.argv) > 1:
        transcript = pathlib.Path(sys.argv[1]).read_text().rstrip()
        text = re.sub(r"```text\n.*?```", lambda _: f"```text\n{transcript}\n```", text, count=1, flags=re.S)
    page.write_text(text)
