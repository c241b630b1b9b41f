"""Makes perennial._binding, the part of the package that is compiled, from the library's public headers.

cffi reads C as it is declared, without a preprocessor.  The declarations are those of the headers themselves, so that there is no
second list of them to keep: what cannot be read here, or does not fit the headers that the compiler sees, stops the build.

The headers and the library are found by PERENNIAL_INCLUDE and PERENNIAL_LIBDIR if they are set, else by pkg-config.
"""

import os
import pathlib
import re
import shlex
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent

LIMITS = {"SIZE_MAX": "0", "INT64_MIN": "0"}  # of C, that macros are: what they come to, the compiler knows


def pkg_config(*words: str) -> str:
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *words, "perennial"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(
            "libperennial was not found: install it with its headers (libperennial-dev), or set PERENNIAL_INCLUDE to the folder "
            f"that has perennial/perennial.h, and PERENNIAL_LIBDIR to the one that has libperennial.so ({' '.join(command)}: {error})"
        ) from None


def places() -> "tuple[str, list[str]]":
    """The folder of the headers, and the flags that link the library."""
    include, folder = os.environ.get("PERENNIAL_INCLUDE"), os.environ.get("PERENNIAL_LIBDIR")
    include = include or pkg_config("--variable=includedir")
    return include, [f"-L{folder}", "-lperennial"] if folder else shlex.split(pkg_config("--libs"))


def without_directives(text: str) -> "tuple[str, dict[str, str]]":
    """A header's declarations for C, and its macros that have no parameters."""
    macros: "dict[str, str]" = {}
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    kept, cplusplus = [], False
    for line in text.split("\n"):
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            if not cplusplus:
                kept.append(line)
        elif directive[1] == "ifdef" and directive[2].strip() == "__cplusplus":
            cplusplus = True
        elif directive[1] == "endif":
            cplusplus = False
        elif directive[1] == "define":
            name = re.match(r"(\w+)(?!\()\s+(\S.*)$", directive[2])
            if name:
                macros[name[1]] = name[2].strip()
    return "\n".join(kept), macros


def number(value: str, macros: "dict[str, str]") -> "int | None":
    """What a macro's text or the length of an array comes to, if that is a whole number."""
    for _ in range(8):
        value = re.sub(r"\b[A-Z]\w*\b", lambda word: f"({macros[word[0]]})" if word[0] in macros else word[0], value)
    value = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", re.sub(r"\(size_t\)|\(int64_t\)|U?INT64_C", "", value))
    return int(eval(value, {"__builtins__": {}})) if re.fullmatch(r"(?:0x[0-9a-fA-F]+|[-+*/() 0-9<|])+", value) else None


def declarations(include: pathlib.Path) -> str:
    """All that the public headers declare, as cffi reads it."""
    entry = (include / "perennial" / "perennial.h").read_text(encoding="utf-8")
    seen: "set[str]" = set()
    parts: "list[str]" = []
    macros = dict(LIMITS)

    def take(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        text = (include / name).read_text(encoding="utf-8")
        for used in re.findall(r'^#include "(perennial/\w+\.h)"', text, flags=re.M):
            take(used)
        text, defined = without_directives(text)
        macros.update(defined)
        parts.append(text)

    for name in re.findall(r'^#include "(perennial/\w+\.h)"', entry, flags=re.M):
        take(name)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?(?=\s*;)", "", "\n".join(parts), flags=re.S)
    text = re.sub(r"static inline ([^;{}]*?)\s*\{.*?\n\}", r"\1;", text, flags=re.S)
    text = re.sub(r"\[([^\]\[]*[A-Z][^\]\[]*)\]", lambda length: f"[{number(length[1], macros)}]", text)
    defined = {name: number(value, macros) for name, value in macros.items()}
    constants = [f"#define {name} ..." for name, value in defined.items() if value is not None and name not in LIMITS]
    return "\n".join([*constants, text])


def ffibuilder() -> cffi.FFI:
    """What setup.py has cffi build."""
    include, libraries = places()
    ffi = cffi.FFI()
    ffi.cdef(declarations(pathlib.Path(include)))
    ffi.cdef((HERE / "policies.cdef").read_text(encoding="utf-8"))
    ffi.set_source(
        "perennial._binding",
        (HERE / "policies.c").read_text(encoding="utf-8"),
        include_dirs=[include],
        extra_link_args=libraries,
        extra_compile_args=["-std=gnu11"],
    )
    return ffi
