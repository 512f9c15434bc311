#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/hlo_text.md from the tables that the reader and the printer are made of.

    hlo_text_tables.py           rewrite the tables in the page
    hlo_text_tables.py --check   exit 1 if the page is not what would be written

A table stands between `<!-- NAME -->` and `<!-- end -->`.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/hlo_text.md"


def entries(name, macro):
    """The arguments of each MACRO(...) of hlo/NAME, strings joined and unquoted."""
    text = re.sub(r"^\s*//.*$", "", (ROOT / "hlo" / name).read_text(), flags=re.M)
    for call in re.findall(rf"^{macro}\((.*?)\)$", text, re.M | re.S):
        call = re.sub(r'"\s+"', "", call)
        yield [part.strip('"') for part in re.findall(r'"[^"]*"|[^,"\s][^,"]*', call)]


def forms():
    """{form: what a value of it looks like}, from the comments of the enumeration."""
    text = (ROOT / "hlo/hlo_attribute.h").read_text()
    body = re.search(r"enum class HloAttributeForm.*?\{(.*?)\n\};", text, re.S).group(1)
    return dict(re.findall(r"^\s*(k\w+),\s*// (.*)$", body, re.M))


def enums():
    """{attribute: what its words are}."""
    words = {}
    opcodes = {enumerator: name for enumerator, name, *_ in entries("hlo_opcode.def", "FERRY_HLO_OPCODE")}
    for attribute, opcode, letters, *values in entries("attribute_enum.def", "FERRY_ATTRIBUTE_ENUM"):
        case = ", in small or capital letters" if letters == "kAny" else ""
        where = f"; of `{opcodes[opcode]}`: " if opcode in opcodes else ""
        one = "one of " + ", ".join(f"`{value}`" for value in values) + case
        words[attribute] = one + words.get(attribute, "") if not where else where + one
    return words


# What the rules name besides attributes with a text of their own.
REFERENCES = {
    "index": "42",
    "control-predecessors": "{%a, %b}",
}


def references():
    """{name: what it looks like} of attributes that name computations or instructions."""
    looks = dict(REFERENCES)
    for name, is_list in entries("callee_attribute.def", "FERRY_CALLEE_ATTRIBUTE"):
        looks[name] = "{%a, %b}, or bodies in place" if is_list == "true" else "%a, or a body in place: { ... }"
    return looks


def operands(least, most):
    return least if least == most else f"{least} or more" if most == "-1" else f"{least} to {most}"


def opcode_rows():
    rules = {opcode: names.split() for opcode, names in entries("hlo_attribute_rules.def", "FERRY_HLO_ATTRIBUTE_RULE")}
    for enumerator, name, least, most, traits in entries("hlo_opcode.def", "FERRY_HLO_OPCODE"):
        own = ", ".join(f"**`{rule[:-1]}`**" if rule.endswith("!") else f"`{rule}`" for rule in rules.get(enumerator, []))
        shape = "may be left out" if "kInferable" in traits else "written"
        yield f"| `{name}` | {operands(least, most)} | {shape} | {own} |"


def attribute_rows():
    looks, words, others = forms(), enums(), references()
    known = set(others)
    for enumerator, name, form in entries("hlo_attribute.def", "FERRY_HLO_ATTRIBUTE"):
        if name:
            known.add(name)
            yield f"| `{name}` | {words[enumerator] if form == 'kEnum' else looks[form]} |"
    for name, look in others.items():
        yield f"| `{name}` | {look} |"
    for opcode, names in entries("hlo_attribute_rules.def", "FERRY_HLO_ATTRIBUTE_RULE"):
        for name in names.split():
            if name.rstrip("!") not in known:
                sys.exit(f"hlo_attribute_rules.def: {opcode} has {name}, which no table explains")


TABLES = {
    "opcodes": ("| opcode | operands | result shape | attributes of its own, in the order of printing |\n| --- | --- | --- | --- |",
                opcode_rows),
    "attributes": ("| attribute | value |\n| --- | --- |", attribute_rows),
}


def written(page):
    for name, (head, rows) in TABLES.items():
        table = "\n".join([f"<!-- {name} -->", head, *rows(), "<!-- end -->"])
        page, count = re.subn(rf"<!-- {name} -->.*?<!-- end -->", lambda _: table, page, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE}: needs one `<!-- {name} -->`, has {count}")
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    page = PAGE.read_text()
    if not args.check:
        PAGE.write_text(written(page))
    elif written(page) != page:
        sys.exit(f"{PAGE.relative_to(ROOT)} is old: run tools/hlo_text_tables.py")


if __name__ == "__main__":
    main()
