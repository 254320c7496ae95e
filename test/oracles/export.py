"""Verifies an export of the ledger: docs/audit-format.md, "To verify", in plain Python and from that page alone.

    export.py [--vkey KEY]... [--checkpoint FILE]... FILE

Prints what is wrong, a line each. Exit code 0: nothing is; 1: something is.
"""

import argparse
import base64
import hashlib
import json
import re
import sys

FORMAT = "partner-payments-ledger-export/1"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
AMOUNT = re.compile(r"0|-?[1-9][0-9]*")
SAFE = 2**53 - 1


class Bad(Exception):
    pass


# Ed25519 (RFC 8032, 5.1.7), so that no package is needed.
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    minus, plus = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = plus - minus, d - c, d + c, plus + minus
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n, point):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = add(result, point)
        point, n = add(point, point), n >> 1
    return result


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x), y, 1, (x if x & 1 == sign else P - x) * y % P


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signed(public, message, signature):
    a, r, s = decompress(public), decompress(signature[:32]), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= Q:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % Q
    one, other = times(s, BASE), add(r, times(h, a))
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


# Leaf, Tree, Inclusion.
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_hash(event):
    names = ("partition", "position", "id", "stream", "version", "type", "schemaVersion", "time", "data", "metadata")
    columns = [str(event[name]).encode() for name in names]
    return sha(b"\0", *(len(column).to_bytes(4, "big") + column for column in columns))


def split(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


class Tree:
    """The root of the leaves so far: a stack of the whole subtrees that they make."""

    def __init__(self):
        self.size, self.stack = 0, []

    def append(self, leaf):
        self.stack.append((1, leaf))
        while len(self.stack) > 1 and self.stack[-1][0] == self.stack[-2][0]:
            (n, right), (m, left) = self.stack.pop(), self.stack.pop()
            self.stack.append((m + n, sha(b"\1", left, right)))
        self.size += 1

    def root(self):
        if not self.stack:
            return sha()
        result = self.stack[-1][1]
        for _, left in reversed(self.stack[:-1]):
            result = sha(b"\1", left, result)
        return result


def inclusion(leaf, index, size, path):
    if size == 1:
        return leaf if not path else None
    if not path:
        return None
    k, last, rest = split(size), path[-1], path[:-1]
    inside = inclusion(leaf, index, k, rest) if index < k else inclusion(leaf, index - k, size - k, rest)
    if inside is None:
        return None
    return sha(b"\1", inside, last) if index < k else sha(b"\1", last, inside)


# Checkpoint.
def unbase64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except Exception:
        raise Bad("this is no base64")
    if base64.b64encode(data).decode() != text:
        raise Bad("this base64 is not in the one form")
    return data


def parse_key(text):
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)", text.strip())
    typed = unbase64(found[3]) if found else b""
    if len(typed) != 33 or typed[0] != 1:
        raise Bad("this is no Ed25519 key")
    if sha(found[1].encode() + b"\n" + typed)[:4].hex() != found[2]:
        raise Bad("the key's id is not its own")
    return found[1], bytes.fromhex(found[2]), typed[1:]


def open_note(note, keys):
    """Origin, size and root of a note that a key has signed."""
    end = note.rfind("\n\n")
    if end < 0:
        raise Bad("the note has no signature")
    text = note[: end + 1]
    lines = text.split("\n")
    if len(lines) < 4 or not lines[0] or not re.fullmatch(r"0|[1-9][0-9]{0,18}", lines[1]):
        raise Bad("the note is no checkpoint")
    origin, size, root = lines[0], int(lines[1]), unbase64(lines[2])
    if len(root) != 32:
        raise Bad("the note is no checkpoint")
    for name, key_id, public in keys:
        own = []
        for line in note[end + 2 :].split("\n"):
            found = re.fullmatch("\u2014 (\\S+) (\\S+)", line)
            if found and found[1] == name:
                signature = base64.b64decode(found[2] + "==")
                if signature[:4] == key_id:
                    own.append(signature[4:])
        if name == origin and own and all(signed(public, text.encode(), one) for one in own):
            return origin, size, root
    raise Bad("the note has no good signature")


# Export.
def parse_line(text):
    def once(pairs):
        if len({name for name, _ in pairs}) < len(pairs):
            raise Bad("a member is given twice")
        return dict(pairs)

    def no_float(text):
        raise Bad("a number is not whole")

    try:
        line = json.loads(text, object_pairs_hook=once, parse_float=no_float, parse_constant=no_float)
    except ValueError:
        raise Bad("this is no JSON")
    if not isinstance(line, dict) or json.dumps(line, separators=(",", ":"), ensure_ascii=False) != text:
        raise Bad("this is no object, or not in the one form")
    return line


def is_text(value):
    return isinstance(value, str)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE


def is_uuid(value):
    return is_text(value) and UUID.fullmatch(value) is not None


def is_object(value):
    def none(_text):
        raise ValueError

    try:
        whole = is_text(value) and value.startswith("{") and value.endswith("}")
        return whole and isinstance(json.loads(value, parse_constant=none), dict)
    except ValueError:
        return False


def is_proof(value):
    return isinstance(value, list) and all(is_text(one) and len(one) == 44 and len(unbase64(one)) == 32 for one in value)


MEMBERS = {
    "header": {"format": is_text, "partner": lambda value: value is None or is_uuid(value)},
    "checkpoint": {
        "partition": is_whole,
        "note": is_text,
        "vkey": is_text,
        "complete": lambda value: isinstance(value, bool),
    },
    "event": {
        "partition": is_whole,
        "position": lambda value: is_text(value) and re.fullmatch(r"[1-9][0-9]{0,18}", value) is not None,
        "id": is_uuid,
        "stream": is_text,
        "version": is_whole,
        "type": is_text,
        "schemaVersion": is_whole,
        "time": is_whole,
        "data": is_object,
        "metadata": is_object,
        "proof": is_proof,
    },
    "end": {"events": is_whole},
}


def check_members(line):
    rules = MEMBERS.get(line.get("kind"))
    if rules is None:
        raise Bad("there is no such kind")
    for name in line:
        if name != "kind" and name not in rules:
            raise Bad(f"{name} is no member")
    for name, rule in rules.items():
        if name == "proof" and name not in line:
            continue
        if name not in line or not rule(line[name]):
            raise Bad(f"{name} is not as the format has it")


class Part:
    """A partition of the file, as far as it was read."""

    def __init__(self, line, keys, known):
        self.number, self.complete = line["partition"], line["complete"]
        self.origin, self.size, self.root = open_note(line["note"], keys or [parse_key(line["vkey"])])
        if not self.origin.endswith(f"/partition-{self.number}"):
            raise Bad("the note is of another partition")
        self.tree, self.position, self.time = Tree(), 0, 0
        self.versions, self.accounts = {}, {}
        self.known = [one for one in known if one[0] == self.origin]
        for _, size, root in self.known:
            if size > self.size:
                raise Bad("a rollback: more events were signed already")
            if size == self.size and root != self.root or size < self.size and not self.complete:
                raise Bad("another history than is known, or none that can be held against it")

    def event(self, line):
        position = int(line["position"])
        if position != self.position + 1 if self.complete else position <= self.position:
            raise Bad(f"position {position} after {self.position}")
        self.position = position
        if line["time"] < self.time:
            raise Bad("the time runs backwards")
        self.time = line["time"]
        self.follows(line["version"], self.versions.get(line["stream"], 0), "version")
        self.versions[line["stream"]] = line["version"]
        self.postings(json.loads(line["data"]))
        leaf = leaf_hash(line)
        if self.complete:
            if "proof" in line:
                raise Bad("a proof where none belongs")
            self.tree.append(leaf)
            for _, size, root in self.known:
                if size == self.tree.size and root != self.tree.root():
                    raise Bad("a split view: other events are known")
            return
        path = [unbase64(one) for one in line.get("proof", [])]
        if position > self.size or inclusion(leaf, position - 1, self.size, path) != self.root:
            raise Bad("the proof does not lead to the root")

    def follows(self, number, before, what):
        if number != before + 1 if self.complete else number <= before:
            raise Bad(f"{what} {number} after {before}")

    def postings(self, data):
        if "postings" not in data:
            return
        total = 0
        if not isinstance(data["postings"], list):
            raise Bad("postings are no list")
        for posting in data["postings"]:
            if not isinstance(posting, dict) or posting.get("bucket") not in ("available", "held", "blocked"):
                raise Bad("a posting is none")
            for name in ("amount", "balance"):
                if not is_text(posting.get(name)) or not AMOUNT.fullmatch(posting[name]):
                    raise Bad(f"{name} is no amount")
            entry, account = posting.get("entry"), posting.get("account")
            if not isinstance(entry, int) or isinstance(entry, bool) or not is_text(account):
                raise Bad("a posting is none")
            amount, balance = int(posting["amount"]), int(posting["balance"])
            before = self.accounts.setdefault(account, {"entry": 0, "available": 0, "held": 0, "blocked": 0})
            self.follows(entry, before["entry"], "entry")
            if self.complete and balance != before[posting["bucket"]] + amount:
                raise Bad("a balance is not that before it and the amount")
            before["entry"], before[posting["bucket"]] = entry, balance
            total += amount
        if total != 0:
            raise Bad("postings do not sum to zero")

    def close(self):
        if self.complete and (self.tree.size != self.size or self.tree.root() != self.root):
            raise Bad("the events are not those that were signed")


def verify(lines, keys, notes):
    known = [open_note(note, keys) for note in notes]
    state, part, events, ids, origins = "start", None, 0, set(), set()
    for text in lines:
        line = parse_line(text)
        check_members(line)
        kind = line["kind"]
        if (kind == "header") != (state == "start") or state == "ended":
            raise Bad(f"{kind} is out of place")
        if kind == "header":
            state = "open"
            if line["format"] != FORMAT:
                raise Bad("the format is another")
        elif kind == "event":
            events += 1
            if part is None or part.number != line["partition"]:
                raise Bad("an event without its checkpoint")
            if line["id"] in ids:
                raise Bad("an id is given twice")
            ids.add(line["id"])
            part.event(line)
        else:
            if part:
                part.close()
            part = None
            if kind == "end":
                state = "ended"
                if line["events"] != events:
                    raise Bad(f"{events} events, where the end counts {line['events']}")
            else:
                part = Part(line, keys, known)
                if part.origin in origins:
                    raise Bad("a partition is given twice")
                origins.add(part.origin)
    if state != "ended":
        raise Bad("the file has no end")
    if any(origin not in origins for origin, _, _ in known):
        raise Bad("no log of the file is that of a checkpoint that is known")


def read(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vkey", action="append", default=[])
    parser.add_argument("--checkpoint", action="append", default=[])
    parser.add_argument("file")
    given = parser.parse_args()
    try:
        text = read(given.file)
        lines = (text[:-1] if text.endswith("\n") else text).split("\n")
        verify(lines, [parse_key(key) for key in given.vkey], [read(path) for path in given.checkpoint])
    except (Bad, UnicodeDecodeError) as problem:
        print(problem)
        sys.exit(1)


main()
