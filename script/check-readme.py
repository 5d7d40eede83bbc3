#!/usr/bin/env python3
"""Checks that the Swift code in the Markdown files is code that is compiled.

A block that follows a line `<!-- code: PATH -->` must stand, line for line, in the file PATH between the lines
`// readme: begin` and `// readme: end` (or be the whole file), without the lines that end with `// readme: leave out`.
Other Swift blocks are errors.
"""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
block = re.compile(r"(?:<!-- code: (?P<path>[^ ]+) -->\n+)?```swift\n(?P<code>.*?)```", re.S)
part = re.compile(r"^[ ]*// readme: begin\n(.*?)^[ ]*// readme: end\n", re.S | re.M)
left_out = re.compile(r"^.*// readme: leave out\n", re.M)
problems = 0

pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("Sources/*/*.docc/**/*.md")]

for page in sorted(pages):
    text = page.read_text()
    for match in block.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        where = f"{page.relative_to(root)}:{line}"
        if not match["path"]:
            print(f"{where}: a Swift block without `<!-- code: PATH -->` above it", file=sys.stderr)
            problems += 1
            continue
        source = root / match["path"]
        if not source.exists():
            print(f"{where}: {match['path']} does not exist", file=sys.stderr)
            problems += 1
            continue
        content = source.read_text()
        candidates = [content] + [textwrap.dedent(left_out.sub("", piece)) for piece in part.findall(content)]
        if match["code"].strip() not in [candidate.strip() for candidate in candidates]:
            print(f"{where}: the block differs from the code in {match['path']}", file=sys.stderr)
            problems += 1

sys.exit(1 if problems else 0)
