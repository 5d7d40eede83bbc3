#!/usr/bin/env python3
"""Lists the test files whose tests run in worlds, and which do not carry the trait .reportsWorlds.

A test runs in a world if its file makes one, or uses something of the same test target that makes one and has no tests
of its own: a helper.
"""
import pathlib
import re
import subprocess

MAKES = re.compile(r"\bWorld\.(simulated|live)\s*[({]")
TESTS = re.compile(r"@(Test|Suite)\b")
DECLARES = re.compile(r"^(?:  )?(?:final class|struct|enum|actor|extension) (\w+)", re.MULTILINE)

files = subprocess.run(["git", "ls-files", "Tests/*.swift"], capture_output=True, text=True, check=True).stdout.split()
targets: dict[str, dict[str, str]] = {}
for name in files:
    if pathlib.Path(name).exists():
        targets.setdefault(name.split("/")[1], {})[name] = pathlib.Path(name).read_text()
for texts in targets.values():
    helpers = set()
    for text in texts.values():
        if MAKES.search(text) and not TESTS.search(text):
            helpers.update(DECLARES.findall(text))
    uses = re.compile(r"\b(%s)(\.\w+\s*[({]|\()" % "|".join(sorted(helpers))) if helpers else None
    for name, text in sorted(texts.items()):
        if TESTS.search(text) and "reportsWorlds" not in text and (MAKES.search(text) or uses and uses.search(text)):
            print(name)
