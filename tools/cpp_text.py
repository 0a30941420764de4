"""C++ text for the checks: comments and strings told from code, and the scopes that braces open.

This is no compiler. It knows just enough to count the lines and the nesting of functions and to see
which names the code uses, and it prefers to miss something odd over a false report.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

PIECES = re.compile(
    r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))
      |(?P<raw>(?:u8|u|U|L)?R"(?P<delimiter>[^()\\\s"]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z))
      |(?P<string>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*"?)
      |(?P<character>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])*'?)
      |(?P<number>\d(?:[\w.]|'\w)*)
      |(?P<word>[A-Za-z_]\w*)""",
    re.S | re.X,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
TOKENS = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|"[^"]*"?|\'[^\']*\'?|::|->|&&|\|\||==|[<>!]=|\S')
ALLOW = re.compile(r"allow\(([\w-]+)\):\s*\S")


def blanked(text, keep_ends=False):
    """Spaces in place of everything but line ends; the first and last character stay on request."""
    out = re.sub(r"[^\n]", " ", text)
    return text[0] + out[1:-1] + text[-1] if keep_ends and len(text) > 1 else out


class CppText:
    """One source file: `code` has no comments and no string contents, `with_strings` no comments.
    Offsets and line numbers are those of the original in both."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self.comment_lines = {}  # line -> text of the comments that touch it
        self.code = PIECES.sub(lambda piece: self._blank(piece, True), text)
        self._code_lines = self.code.split("\n")
        self.with_strings = PIECES.sub(lambda piece: self._blank(piece, False), text)

    def _blank(self, piece, strings_too):
        if piece["comment"] is not None:
            first = self.line_at(piece.start())
            for number, line in enumerate(piece[0].split("\n"), first):
                self.comment_lines.setdefault(number, "")
                if strings_too:
                    self.comment_lines[number] += line
            return blanked(piece[0])
        if strings_too and (piece["raw"] or piece["string"]):
            return re.sub(r'^.*?"', lambda start: '"'.rjust(len(start[0])), blanked(piece[0], True), flags=re.S)
        if strings_too and piece["character"]:
            return blanked(piece[0][: piece[0].index("'")]) + blanked(piece[0][piece[0].index("'") :], True)
        return piece[0]

    def line_at(self, offset):
        return bisect_left(self._line_ends, offset) + 1

    def includes(self):
        """(line, is_local, path) for each #include."""
        for match in INCLUDE.finditer(self.with_strings):
            yield self.line_at(match.start()), match[1] == '"', match[2]

    def tokens(self):
        """(token, line) of the code without preprocessor lines."""
        code = DIRECTIVE.sub(lambda line: blanked(line[0]), self.code)
        for number, line in enumerate(code.split("\n"), 1):
            for match in TOKENS.finditer(line):
                yield match[0], number

    def allows(self, rule, line):
        """Whether `// allow(rule): reason` stands on the line or in the comment right above it."""
        number = line
        while number == line or (number in self.comment_lines and self.is_comment_only(number)):
            found = ALLOW.search(self.comment_lines.get(number, ""))
            if found and found[1] == rule:
                return True
            number -= 1
        return False

    def is_comment_only(self, line):
        return line in self.comment_lines and not self._code_lines[line - 1].strip()


@dataclass
class Scope:
    """What a pair of braces encloses. `nesting` of a function is the deepest block in it."""

    kind: str  # namespace, type, function, block, initialiser
    first_line: int
    open_line: int
    last_line: int = 0
    nesting: int = 0
    head: list = field(default_factory=list)


@dataclass
class Declaration:
    """A declaration at namespace scope."""

    head: list
    first_line: int
    head_last_line: int
    last_line: int
    is_type: bool


FUNCTION_ENDS = {")", "const", "noexcept", "override", "final", "mutable", "try", "&", "&&"}
BLOCK_STARTS = {")", "else", "do", "try", ";", "{", "}", ":", "const", "noexcept", "mutable"}


def without_templates(head):
    """The head without a leading `template <…>`, attributes and alignas."""
    rest = list(head)
    while rest and rest[0] == "template":
        depth = 0
        for at, token in enumerate(rest):
            depth += (token == "<") - (token == ">")
            if at and depth == 0:
                rest = rest[at + 1 :]
                break
        else:
            return []
    return rest


def is_lambda(head):
    """Whether the head ends in a lambda's introducer, parameters or return type."""
    text = " ".join(head)
    return bool(re.search(r"(?:^|[=(,{?:&|]|return) \[ [^\]]*\](?: <.*>)?(?: \(.*\))?[\w :<>*&,]*(?:-> .*)?$", text))


def kind_of(head, parent):
    """What the brace after `head` opens, given the kind of the scope that it stands in."""
    last = head[-1] if head else ""
    if is_lambda(head) and last not in ("=", ",", "("):
        return "block" if parent in ("function", "block") else "function"
    if parent == "initialiser":
        return "initialiser"
    rest = without_templates(head)
    if "namespace" in rest[:2] or rest[:1] == ["extern"] and len(rest) == 2:
        return "namespace"
    if rest and rest[0] in ("class", "struct", "union", "enum", "typedef") and last != ")" and "=" not in rest:
        return "type"
    if parent in ("function", "block"):
        starts = not head or last in BLOCK_STARTS or re.search(r"\) -> [^;]*$", " ".join(head))
        return "block" if starts else "initialiser"
    if last in FUNCTION_ENDS and ")" in head:
        return "function"
    after_parameters = " ".join(head)[" ".join(head).rfind(")") :]
    if ")" in head and ("->" in after_parameters or after_parameters.lstrip(") ").startswith("requires")):
        return "function"
    return "function" if last == "}" and ")" in head else "initialiser"


class Structure:
    """The scopes of a file: `functions` with length and nesting, `declarations` at namespace scope."""

    def __init__(self, source):
        self.functions = []
        self.declarations = []
        self._stack = []
        self._head = []  # (token, line) since the last end of a statement
        self._parens = 0
        for token, line in source.tokens():
            self._take(token, line)

    def _parent(self):
        return self._stack[-1][0].kind if self._stack else "namespace"

    def _take(self, token, line):
        if token == "{":
            self._open(line)
        elif token == "}":
            self._close(line)
        elif token == ";" and self._parens == 0:
            self._end_statement(line)
        elif token == ":" and [t for t, _ in self._head] in (["public"], ["protected"], ["private"]):
            self._head = []
        else:
            self._parens += (token == "(") - (token == ")")
            self._head.append((token, line))

    def _open(self, line):
        head = [token for token, _ in self._head]
        kind = kind_of(head, self._parent())
        first = self._head[0][1] if self._head else line
        if kind == "block":
            self._count_nesting()
        self._stack.append((Scope(kind, first, line, head=head), self._head, self._parens))
        self._head, self._parens = [], 0

    def _count_nesting(self):
        depth = 1
        for scope, _, _ in reversed(self._stack):
            if scope.kind == "function":
                scope.nesting = max(scope.nesting, depth)
                return
            depth += scope.kind == "block"

    def _close(self, line):
        if not self._stack:
            return
        scope, outer_head, outer_parens = self._stack.pop()
        scope.last_line = line
        if scope.kind == "function":
            self.functions.append(scope)
        in_expression = scope.kind == "initialiser" or outer_parens > 0 or is_lambda(scope.head)
        ends_here = scope.kind in ("function", "namespace", "block") and not in_expression
        if ends_here and scope.kind == "function" and self._parent() == "namespace":
            self._declare(outer_head, scope.open_line, scope.open_line, False)
        self._head, self._parens = ([], 0) if ends_here else (outer_head, outer_parens)
        if not ends_here:
            self._head = self._head + [("{", scope.open_line), ("}", line)]

    def _end_statement(self, line):
        if self._head and self._parent() == "namespace":
            rest = without_templates([token for token, _ in self._head])
            is_type = rest[:1] in (["class"], ["struct"], ["union"], ["enum"])
            self._declare(self._head, line, line, is_type)
        self._head = []

    def _declare(self, head, head_last_line, last_line, is_type):
        tokens = [token for token, _ in head]
        self.declarations.append(Declaration(tokens, head[0][1], head_last_line, last_line, is_type))
