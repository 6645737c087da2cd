"""Makes `store/unicode/names.txt`: Unicode's data about identifiers and about characters that look alike (UTS #39).

    pip download --no-deps icu4py && unzip -d icu icu4py-*.whl
    python docs/unicode_names.py icu/icu4py.libs

The data comes from ICU, which includes Unicode's own data; the wheel of icu4py contains ICU's libraries. The file is
part of the sources, so that every server compares names in the same way with any Python or library. A new Unicode
version changes keys stored in databases, and needs a migration that computes them again.
"""

import ctypes
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from ctypes import byref, c_char_p, c_int, c_int32, c_uint16, c_void_p
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "src/signoria/store/unicode/names.txt"
LAST = 0x10FFFF
DEFAULT_IGNORABLE = 5
"""ICU's number for this property."""
EVERYWHERE = {"Zyyy", "Zinh"}
"""Scripts of characters used with any letters: digits, punctuation, accents."""


class Icu:
    """The ICU functions that are needed."""

    def __init__(self, folder: Path) -> None:
        self._libraries = []
        for name in ("libicudata", "libicuuc", "libicui18n"):
            path = next(folder.glob(f"{name}*"))
            self._libraries.append(ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL))
        found = re.search(r"[.]so[.](\d+)", path.name)
        assert found, f"{path.name} does not say which version of ICU it is"
        self._version = found[1]
        self._checker = self._call("uspoof_open", c_void_p)()

    def _call(self, name: str, gives: Any) -> Callable[..., Any]:
        """A function that raises an error if ICU reports one in its last argument."""
        function = next(
            getattr(library, f"{name}_{self._version}")
            for library in self._libraries
            if hasattr(library, f"{name}_{self._version}")
        )
        function.restype = gives

        def call(*arguments: Any) -> Any:
            error = c_int(0)
            result = function(*arguments, byref(error))
            assert error.value <= 0, f"{name}: error {error.value}"
            return result

        return call

    def unicode_version(self) -> str:
        """The Unicode version of the data."""
        version = (ctypes.c_uint8 * 4)()
        getattr(self._libraries[1], f"u_getUnicodeVersion_{self._version}")(version)
        return f"{version[0]}.{version[1]}"

    def allowed(self) -> Iterator[int]:
        """Code points with Identifier_Status Allowed."""
        contains = getattr(self._libraries[1], f"uset_contains_{self._version}")
        contains.restype = ctypes.c_int8
        sets = [c_void_p(self._call(f"uspoof_get{kind}Set", c_void_p)()) for kind in ("Inclusion", "Recommended")]
        yield from (point for point in range(LAST + 1) if any(contains(one, c_int32(point)) for one in sets))

    def ignorable(self) -> Iterator[int]:
        """Invisible code points."""
        has = getattr(self._libraries[1], f"u_hasBinaryProperty_{self._version}")
        has.restype = ctypes.c_int8
        yield from (point for point in range(LAST + 1) if has(c_int32(point), DEFAULT_IGNORABLE))

    def scripts(self, point: int) -> tuple[str, ...]:
        """The scripts that a code point is used with."""
        found = (c_int * 64)()
        number = self._call("uscript_getScriptExtensions", c_int)(c_int32(point), found, 64)
        short = getattr(self._libraries[1], f"uscript_getShortName_{self._version}")
        short.restype = c_char_p
        return tuple(sorted(short(script).decode() for script in found[:number]))

    def script_title(self, script: str) -> str:
        """The name of a script for people."""
        code = (c_int * 1)()
        self._call("uscript_getCode", c_int)(script.encode(), code, 1)
        long = getattr(self._libraries[1], f"uscript_getName_{self._version}")
        long.restype = c_char_p
        title: str = long(code[0]).decode()
        return title.replace("_", " ")

    def skeletons(self) -> Iterator[tuple[int, str]]:
        """What each code point looks like if it differs, without those that NFD decomposes first."""
        skeleton = self._call("uspoof_getSkeleton", c_int32)
        found = (c_uint16 * 64)()
        for point in range(LAST + 1):
            if 0xD800 <= point <= 0xDFFF or unicodedata.normalize("NFD", chr(point)) != chr(point):
                continue
            units = chr(point).encode("utf-16-le")
            given = (c_uint16 * (len(units) // 2)).from_buffer_copy(units)
            length = skeleton(c_void_p(self._checker), 0, given, len(given), found, 64)
            looks = bytes(memoryview(found).cast("B"))[: 2 * length].decode("utf-16-le")
            if looks != chr(point):
                yield point, looks


def ranges(points: Iterator[int]) -> str:
    """Code points in ascending order as ranges: `41-5a 5f`."""
    found: list[list[int]] = []
    for point in points:
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return " ".join(f"{first:x}" if first == last else f"{first:x}-{last:x}" for first, last in found)


def lines(icu: Icu) -> Iterator[str]:
    """The lines of the file."""
    yield f"# Unicode {icu.unicode_version()} (UTS #39), made by docs/unicode_names.py; see LICENSE beside this file."
    ignorable = set(icu.ignorable())
    yield f"ignorable\t{ranges(iter(sorted(ignorable)))}"
    allowed: dict[tuple[str, ...], list[int]] = {}
    for point in icu.allowed():
        if point not in ignorable:
            scripts = icu.scripts(point)
            allowed.setdefault(() if EVERYWHERE & set(scripts) else scripts, []).append(point)
    for scripts, points in sorted(allowed.items()):
        yield f"allowed\t{' '.join(scripts)}\t{ranges(iter(points))}"
    for script in sorted({script for scripts in allowed for script in scripts}):
        yield f"script\t{script}\t{icu.script_title(script)}"
    alike: dict[str, list[int]] = {}
    for point, looks in icu.skeletons():
        if point not in ignorable:
            alike.setdefault(looks, []).append(point)
    for looks, points in sorted(alike.items()):
        yield f"alike\t{' '.join(f'{ord(letter):x}' for letter in looks)}\t{' '.join(f'{point:x}' for point in points)}"


if __name__ == "__main__":
    TARGET.write_text("\n".join(lines(Icu(Path(sys.argv[1])))) + "\n")
