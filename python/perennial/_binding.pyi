"""What cffi makes of the public headers, as far as checkers of types are told of it: which functions there are it knows when it is built."""

from typing import Any, Callable, TypeVar

_Called = TypeVar("_Called", bound=Callable[..., Any])

class _Interface:
    NULL: Any

    def def_extern(self, name: str = ..., error: Any = ..., onerror: Any = ...) -> Callable[[_Called], _Called]: ...
    def __getattr__(self, name: str) -> Any: ...

class _Functions:
    def __getattr__(self, name: str) -> Any: ...

ffi: _Interface
lib: _Functions
