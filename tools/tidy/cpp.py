"""Just enough C++ lexing for the checks: comments and strings told from code, #includes, functions and their lengths."""

import re
from dataclasses import dataclass

INCLUDE = re.compile(r'^[ \t]*(?P<hash>#)[ \t]*include[ \t]*(?P<open>["<])(?P<header>[^">\n]+)[">]', re.M)
WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
TOKEN = re.compile(
    r"""(?P<comment> //(?:[^\n\\]|\\.)* | /\*.*?\*/ )
      | (?P<string>  (?<!\w)(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
                   | "(?:[^"\\\n]|\\.)*" )
      | (?P<number>  (?<!\w)\d(?:'?[\w.])* )
      | (?P<char>    '(?:[^'\\\n]|\\.)+' )""",
    re.X | re.S)
NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass
class Comment:
    line: int
    text: str  # without the comment marks; as many lines as in the file
    is_doc: bool
    is_trailing: bool  # code stands before it on its line


@dataclass
class Lexed:
    code: str  # comments and the insides of strings blanked
    uncommented: str  # comments blanked
    comments: list
    strings: list


def blank(text):
    return NOT_NEWLINE.sub(" ", text)


def lex(text):
    code, uncommented, comments, strings = [], [], [], []
    at, line = 0, 1
    for token in TOKEN.finditer(text):
        between = text[at:token.start()]
        code.append(between)
        uncommented.append(between)
        line += between.count("\n")
        word = token[0]
        if token.lastgroup == "comment":
            code.append(blank(word))
            uncommented.append(code[-1])
            before = text[text.rfind("\n", 0, token.start()) + 1:token.start()]
            comments.append(comment_of(word, line, bool(before.strip())))
        else:
            is_quoted = token["string"] is not None or token["char"] is not None
            code.append(word[0] + blank(word[1:-1]) + word[-1] if is_quoted else word)
            uncommented.append(word)
            if token["string"] is not None:
                strings.append(word)
        line += word.count("\n")
        at = token.end()
    code.append(text[at:])
    uncommented.append(text[at:])
    return Lexed("".join(code), "".join(uncommented), comments, strings)


def comment_of(word, line, is_trailing):
    if word.startswith("//"):
        return Comment(line, re.sub(r"^///?[</!]*", "", word), bool(re.match(r"//[/!]", word)), is_trailing)
    body = re.sub(r"^[ \t]*\*(?!/)", "", word[2:-2], flags=re.M)
    return Comment(line, body, word.startswith(("/**", "/*!")), is_trailing)


def comment_blocks(comments):
    """Joins the `//` comments of consecutive lines: (first line, text), the text with one line per line of the file."""
    blocks = []
    for comment in comments:
        if blocks and not comment.is_trailing and blocks[-1][0] + blocks[-1][1].count("\n") + 1 == comment.line:
            blocks[-1][1] += "\n" + comment.text
        else:
            blocks.append([comment.line, comment.text])
    return [tuple(block) for block in blocks]


# Functions --------------------------------------------------------------------------------------------------------

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M | re.S)
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b", re.M)
ATTRIBUTE = re.compile(r"\[\[.*?\]\]", re.S)
SCOPE_WORD = re.compile(r"\b(?:namespace|class|struct|union|enum)\b|\bextern\s*\"\s*\"\s*$")
HEAD_START = re.compile(r"(?:\s|(?:public|private|protected)\s*:)*")
DELIMITER = re.compile(r"[{};]")
BRACE = re.compile(r"[{}]")
DECLARES_NO_FUNCTION = re.compile(r"\s*(?:static_assert|using|friend|typedef|template\s+class)\b")
TYPE_NAME = re.compile(r"\b(?:class|struct|union|enum)\s+(?:class\s+)?(?:alignas\s*\(\)\s*)?(?:\w+\s*\(\)\s*)?(\w+)")
FUNCTION_NAME = re.compile(r"(operator\s*(?:\(\)|[^\s\w(]+|[\w:<>&* ]+)|~?[A-Za-z_]\w*(?:::~?\w+)*)\s*\(")


@dataclass
class Function:
    name: str
    first_line: int
    last_line: int

    @property
    def lines(self):
        return self.last_line - self.first_line + 1


def one_branch(code):
    """Keeps the first branch of each #if and no directive, so that the braces of what is left balance."""
    kept, at, skipping = [], 0, []
    for match in CONDITIONAL.finditer(code):
        part = code[at:match.start()]
        kept.append(blank(part) if any(skipping) else part)
        at = match.start()
        if match[1].startswith("if"):
            skipping.append(False)
        elif skipping and match[1] == "endif":
            skipping.pop()
        elif skipping:
            skipping[-1] = True
    kept.append(code[at:])
    return DIRECTIVE.sub(lambda m: blank(m[0]), "".join(kept))


def matching_brace(code, opening):
    depth = 0
    for brace in BRACE.finditer(code, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(code) - 1


def without_groups(head):
    """Drops attributes and template parameter lists, and empties outermost parentheses."""
    head = ATTRIBUTE.sub("", head)
    result, depth, angle = [], 0, 0
    for at, char in enumerate(head):
        if depth == 0 and char == "<" and (angle or re.search(r"\btemplate\s*$", head[:at])):
            angle += 1
        elif depth == 0 and angle and char == ">":
            angle -= 1
        elif char == "(":
            depth += 1
            result.append("(" if depth == 1 and not angle else "")
        elif char == ")":
            depth -= 1
            result.append(")" if depth == 0 and not angle else "")
        elif depth == 0 and not angle:
            result.append(char)
    return "".join(result)


def function_end(code, opening):
    """The last brace of a body that begins at `opening`; the braces of a constructor's initialisers come before it."""
    while True:
        closing = matching_brace(code, opening)
        following = re.compile(r"\s*(,[^;{}]*\{|\{)").match(code, closing + 1)
        if not following:
            return closing
        opening = following.end() - 1


@dataclass
class Declaration:
    """One thing declared at namespace or class scope."""

    kind: str  # function (with a body), scope (namespace, class, enum) or statement
    head: str  # the text before the brace or semicolon
    start: int
    end: int


def declarations(code):
    """Walks blanked code; what stands inside a function's body belongs to the function."""
    code = one_branch(code)
    head_at = at = 0
    while match := DELIMITER.search(code, at):
        opening, at = match.start(), match.end()
        head_at = HEAD_START.match(code, head_at).end()
        head = code[head_at:opening]
        is_inside_argument = head.count("(") > head.count(")")
        if match[0] != "{":
            if not is_inside_argument:
                if match[0] == ";":
                    yield Declaration("statement", head, head_at, opening)
                head_at = at
            continue
        shape = without_groups(head)
        if is_inside_argument:
            at = matching_brace(code, opening) + 1
        elif SCOPE_WORD.search(shape):
            yield Declaration("scope", head, head_at, opening)
            head_at = at = matching_brace(code, opening) + 1 if re.search(r"\benum\b", shape) else at
        elif "(" not in shape or re.search(r"=\s*$|\brequires\s*(\(\))?\s*$", shape):
            at = matching_brace(code, opening) + 1  # a braced value; the semicolon after it ends the declaration
        else:
            closing = function_end(code, opening)
            yield Declaration("function", head, head_at, closing)
            head_at = at = closing + 1


def functions(code):
    """The outermost functions with a body; a lambda inside one is part of it."""
    for found in declarations(code):
        if found.kind == "function":
            yield Function(name_of(found.head), code.count("\n", 0, found.start) + 1, code.count("\n", 0, found.end) + 1)


def declared_names(code):
    """(line, name) of the functions, types, aliases and constants declared outside function bodies."""
    for found in declarations(code):
        name = declared_name(found)
        if name:
            yield code.count("\n", 0, found.start) + 1, name


def declared_name(found):
    shape = without_groups(found.head)
    if found.kind == "scope":
        named = TYPE_NAME.search(shape)
        return named and named[1]
    if alias := re.match(r"(?:template\s*)?(?:using|(?:inline\s+)?constexpr|concept)\b[^=({]*?\b(\w+)\s*(?:=|\{|$)", shape):
        return None if re.match(r"(?:template\s*)?using\b[^=]*$", shape) else alias[1]
    if found.kind == "statement" and ("=" in shape.partition("(")[0] or DECLARES_NO_FUNCTION.match(shape)):
        return None
    if "(" not in shape or re.search(r"\boperator\b|~", shape) or not re.search(r"\w[\s&*]+[\w:]+\s*\(", shape):
        return None
    return name_of(found.head).rpartition("::")[2]


def name_of(head):
    bare = re.sub(r"\b(?:alignas|decltype|noexcept|explicit|requires|__attribute__)\s*\([^()]*\)", "", ATTRIBUTE.sub("", head))
    test = re.search(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", bare)
    if test:
        return f"{test[1]}.{test[2]}"
    named = FUNCTION_NAME.search(bare)
    return re.sub(r"\s+", " ", named[1]).strip() if named else "lambda"
