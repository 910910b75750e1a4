"""Just enough Markdown for the checks: fences, code spans, links and the anchors of headings."""

import re
from dataclasses import dataclass

from cpp import blank

FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>`{3,}|~{3,})[ \t]*(?P<language>[\w+#-]*)[^\n`]*\n"
                   r"(?P<body>.*?)^[ \t]*(?P=ticks)[`~]*[ \t]*$", re.M | re.S)
CODE_SPAN = re.compile(r"(?<!`)(?:``(?P<double>(?:[^`]|`(?!`))+)``|`(?P<single>[^`]+)`)(?!`)")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*(?:<(?P<angled>[^>\n]+)>|(?P<plain>[^\s()]+(?:\([^\s()]*\))?))"
                  r"(?:\s+[\"'(][^\n]*?)?\s*\)"
                  r"|^[ ]{0,3}\[[^\]\n^]+\]:[ \t]+<?(?P<reference>[^\s>]+)", re.M)
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<title>.+?)[ \t]*#*[ \t]*$"
                     r"|^(?P<underlined>[^\s#>|-][^\n]*)\n(?:=+|-{3,})[ \t]*$", re.M)
NAMED = re.compile(r"<\w+[^>]*\b(?:id|name)=[\"']([^\"']+)[\"']")
HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)


@dataclass
class Fence:
    start: int
    body_start: int
    body_end: int
    language: str
    indent: str


def fences(text):
    return [Fence(m.start(), m.start("body"), m.end("body"), m["language"].lower(), m["indent"]) for m in FENCE.finditer(text)]


def prose(text):
    """The text with fences and HTML comments blanked; every offset is kept."""
    return HTML_COMMENT.sub(lambda m: blank(m[0]), FENCE.sub(lambda m: blank(m[0]), text))


def code_spans(text):
    """(offset, content) of what wears back-ticks; a span does not cross a blank line."""
    for match in CODE_SPAN.finditer(text):
        if "\n\n" not in match[0]:
            yield match.start(match.lastgroup), match[match.lastgroup]


def without_code(text):
    """The text with fences and code spans blanked; every offset is kept."""
    return CODE_SPAN.sub(lambda m: blank(m[0]), FENCE.sub(lambda m: blank(m[0]), text))


def links(text):
    """(offset, target), code and HTML comments not looked into."""
    for match in LINK.finditer(without_code(prose(text))):
        yield match.start(), match["angled"] or match["plain"] or match["reference"]


def anchors(text):
    """The anchors that a renderer makes of headings, as GitHub spells them, and those written out."""
    found = set(NAMED.findall(text))
    for match in HEADING.finditer(prose(text)):
        slug = slug_of(match["title"] or match["underlined"])
        count = 0
        while (slug if count == 0 else f"{slug}-{count}") in found:
            count += 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


def slug_of(title):
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.replace("`", "").strip().lower()).replace(" ", "-")
