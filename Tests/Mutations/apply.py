#!/usr/bin/env python3
"""Named edits: each takes one protection away. Works on the tree in the current directory.

    apply.py apply EDIT…  makes the edits
    apply.py undo         puts back what they changed
    apply.py check EDIT…  says of each whether it can still be made; changes nothing

An edit names its row, its protection and the tests that must fail, and then what stands where, and what instead:

    Row: F05
    Protection: a board without our services is discovered anew
    Fails: FleetTests.ConnectionMachineTests/F05 F06 the device of a board without our services is removed, at most every half minute

    File: Sources/BoardKit/LinkFailure.swift
    Text:
    |    case .servicesMissing: .rediscover
    Replacement:
    |    case .servicesMissing: .retry

Lines stand behind a bar; a replacement without lines removes the text. Text is whole lines that occur exactly once in
the file, so an edit holds until that very text changes. More groups of File, Text and Replacement may follow."""

import shutil
import sys
from collections import namedtuple
from pathlib import Path

Group = namedtuple("Group", "file text replacement")

# What an edit changed, as it was before. Below `.build`, which no tool reads as sources.
KEPT = Path(".build/unmutated")
HEADERS = ["Row", "Protection", "Fails"]


class Unusable(Exception):
    """An edit that cannot be read, or no longer be made."""


def read(path):
    """The groups of an edit."""
    groups, headers, lines = [], [], None
    for number, line in enumerate(Path(path).read_bytes().decode().splitlines(), 1):
        key, colon, value = line.partition(": ")
        if line.startswith("|") and lines is not None:
            lines.append(line[1:])
        elif key in HEADERS and colon and not groups:
            headers.append(key)
        elif key == "File" and colon:
            groups.append(Group(value, [], []))
            lines = None
        elif line == "Text:" and groups and not groups[-1].text:
            lines = groups[-1].text
        elif line == "Replacement:" and groups and lines is groups[-1].text:
            lines = groups[-1].replacement
        elif line:
            raise Unusable(f"line {number} is none of an edit: {line}")
    if headers != HEADERS:
        raise Unusable("it does not begin with Row, Protection and Fails")
    if not groups:
        raise Unusable("it changes no file")
    for group in groups:
        if not group.text or group.text == group.replacement:
            raise Unusable(f"it changes nothing in {group.file}")
    return groups


def places(text, lines):
    """The numbers of the lines where `text` begins."""
    return [at for at in range(len(lines) - len(text) + 1) if lines[at : at + len(text)] == text]


def changed(groups):
    """The new content of every file that the groups name; all places are looked for in the files as they are."""
    contents = {}
    for file in dict.fromkeys(group.file for group in groups):
        if not Path(file).is_file():
            raise Unusable(f"there is no {file}")
        lines = Path(file).read_bytes().decode().split("\n")
        spans = []
        for group in groups:
            if group.file != file:
                continue
            found = places(group.text, lines)
            if len(found) != 1:
                raise Unusable(f"its text stands {len(found)} times in {file}: {group.text[0].strip()}")
            spans.append((found[0], found[0] + len(group.text), group.replacement))
        spans.sort()
        if any(first[1] > second[0] for first, second in zip(spans, spans[1:])):
            raise Unusable(f"two of its texts overlap in {file}")
        for start, end, replacement in reversed(spans):
            lines[start:end] = replacement
        contents[file] = "\n".join(lines)
    return contents


def apply(edits):
    if KEPT.exists():
        raise Unusable("another edit is in the tree: undo it first")
    contents = changed([group for edit in edits for group in read(edit)])
    for file in contents:
        (KEPT / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, KEPT / file)
    for file, content in contents.items():
        Path(file).write_bytes(content.encode())


def undo():
    for kept in KEPT.rglob("*"):
        if kept.is_file():
            shutil.copyfile(kept, kept.relative_to(KEPT))
    shutil.rmtree(KEPT, ignore_errors=True)


def tried(name, work):
    """Whether the work on the edit `name` succeeded; what kept it from that is printed."""
    try:
        work()
        return True
    except (Unusable, OSError, UnicodeError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return False


def main(words):
    match words:
        case ["apply", *edits] if edits:
            return tried(" ".join(Path(edit).stem for edit in edits), lambda: apply(edits))
        case ["undo"]:
            return tried("undo", undo)
        case ["check", *edits] if edits:
            return all([tried(Path(edit).stem, lambda: changed(read(edit))) for edit in edits])
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(64)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
