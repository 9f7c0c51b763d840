"""Planting a mistake in code that is already loaded, through its interface alone.

A mutant replaces one public function, or one method of a public class, wherever the
implementation's own code looks that name up: in the globals of every module that binds
the very same object, and on the class itself. It knows names and data of the interface
and nothing of the code behind them, so it fits every implementation of the chapter.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

Interface = Mapping[str, Any]  # public name → function, class or constant, as it is now
_ABSENT = object()


class CannotPlantError(KeyError):
    """The implementation has no such name: nothing to replace, or to do it with."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Mutant:
    """One mistake.

    target   the name it replaces: "minimize", or "Dfa.step" for a method
    make     (original, interface) → what stands in for the original
    witness  a question to an interface whose answer the mistake changes; where it does
             not, the implementation never calls the target: it "cannot be planted here"
    shows    what that answer is then, to whom it is asked of their own code
    also     the same mistake made in other ways: the diagnosis knows them, too
    """

    id: str
    title: str
    pitfall: str
    symptom: str
    target: str
    make: Callable[[Any, Interface], Any]
    witness: Callable[[Interface], object]
    shows: str = ""
    also: tuple[Callable[[Any, Interface], Any], ...] = ()

    def ways(self) -> list[Mutant]:
        """Return the mutant once for each way to make the mistake, itself first."""
        return [self, *(replace(self, make=make, also=()) for make in self.also)]


def outermost(original: Callable[..., Any], mutated: Callable[..., Any]) -> Any:
    """Return a function: `mutated` when called from outside, `original` within.

    A recursive function looks itself up by name and so finds its stand-in; the mistake
    is to be made once per call from outside, not once per level.
    """
    calls = threading.local()

    @functools.wraps(original)
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        if getattr(calls, "running", False):
            return original(*args, **kwargs)
        calls.running = True
        try:
            return mutated(*args, **kwargs)
        finally:
            calls.running = False

    return stand_in


@contextmanager
def plant_in(namespaces: Sequence[object], mutant: Mutant) -> Iterator[None]:
    """Make `mutant`'s mistake inside the `with` block; afterwards all is as it was.

    namespaces: the implementation's modules, or their dicts, in the order of the
    course: where two bind one name differently, the later one is the public one.
    Raises CannotPlantError, before anything is touched, where the target is missing.
    """
    spaces = [_as_dict(namespace) for namespace in namespaces]
    with _planted(spaces, mutant, interface_of(spaces)):
        yield


def overlay(mutant: Mutant) -> Callable[[dict[str, Any], str], None]:
    """Return the `overlay` of an `Implementation` (`ol.implementation`) that plants it.

    It acts on each freshly executed notebook that defines the target itself, before
    any other notebook can import it, and for good: that instance is the mutant.
    """
    fresh: list[dict[str, Any]] = []

    def plant(namespace: dict[str, Any], notebook_id: str) -> None:
        fresh.append(namespace)
        owner = namespace.get(mutant.target.partition(".")[0])
        if getattr(owner, "__module__", _ABSENT) == namespace.get("__name__"):
            _planted([namespace], mutant, interface_of(fresh))

    return plant


def _planted(
    spaces: Sequence[dict[str, Any]], mutant: Mutant, interface: Interface
) -> ExitStack:
    """Replace the target in all `spaces`; closing what is returned undoes it."""
    owner_name, _, method = mutant.target.partition(".")
    original = owner = interface.get(owner_name, _ABSENT)
    if method and owner is not _ABSENT:
        original = getattr(owner, method, _ABSENT)
    if original is _ABSENT:
        raise CannotPlantError(f"{mutant.id}: this code has no {mutant.target}")
    mutated = mutant.make(original, interface)
    if not isinstance(original, type):
        mutated = outermost(original, mutated)
    undo = ExitStack()
    if method:
        undo.callback(_replace_attribute(owner, method, mutated))
        return undo
    for space in spaces:
        for name in [key for key, value in space.items() if value is original]:
            undo.callback(_replace_name(space, name, mutated))
    return undo


def witness_changed(mutant: Mutant, namespaces: Sequence[object]) -> bool:
    """Say whether the planted mistake shows at all on the mutant's own question."""
    interface = interface_of([_as_dict(namespace) for namespace in namespaces])
    try:
        before = answer(mutant.witness, interface)
        with plant_in(namespaces, mutant):
            return before != answer(mutant.witness, interface)
    except CannotPlantError:
        return False


def answer(question: Callable[[Interface], object], interface: Interface) -> object:
    """Return what is answered, a refusal as its kind; CannotPlantError where a name
    is missing.
    """
    try:
        return question(interface)
    except CannotPlantError:
        raise
    except Exception as error:  # a refusal, or code not written yet, is an answer, too
        return type(error).__name__, getattr(error, "kind", None)


def noting(target: str, called: set[str]) -> Mutant:
    """Return a mutant that changes nothing and notes that its target was called."""

    def make(original: Any, interface: Any) -> Any:
        @functools.wraps(original)
        def stand_in(*arguments: Any, **options: Any) -> Any:
            called.add(target)
            return original(*arguments, **options)

        return stand_in

    return Mutant("", "", "", "", target, make, lambda interface: None)


def forget_caches(namespaces: Sequence[dict[str, Any]]) -> None:
    """Empty the caches of functions, so that no answer of another code is left."""
    for space in namespaces:
        for value in list(space.values()):
            clear = getattr(value, "cache_clear", None)
            if callable(clear) and not isinstance(value, type):
                clear()


class _Names(Mapping[str, Any]):
    """All names of some namespaces, as they are at each look.

    The last space that defines a name itself has it; what a later one merely imports,
    such as a `Sequence` of the standard library, does not hide it.
    """

    def __init__(self, spaces: Sequence[dict[str, Any]]) -> None:
        self._spaces = spaces

    def __getitem__(self, name: str) -> Any:
        having = [space for space in reversed(self._spaces) if name in space]
        for space in having:
            if getattr(space[name], "__module__", _ABSENT) == space.get("__name__"):
                return space[name]
        if not having:
            raise CannotPlantError(f"this code has no {name}")
        return having[0][name]

    def __iter__(self) -> Iterator[str]:
        return iter({name for space in self._spaces for name in space})

    def __len__(self) -> int:
        return len({name for space in self._spaces for name in space})


def interface_of(spaces: Sequence[dict[str, Any]]) -> Interface:
    """Return all names of `spaces`; see `_Names`. Spaces may still be added."""
    return _Names(spaces)


def _as_dict(namespace: object) -> dict[str, Any]:
    return namespace if isinstance(namespace, dict) else vars(namespace)


def _replace_name(space: dict[str, Any], name: str, mutated: Any) -> Callable[[], None]:
    original, space[name] = space[name], mutated

    def restore() -> None:
        if space.get(name) is mutated:  # else the block itself rebound it: leave it
            space[name] = original

    return restore


def _replace_attribute(owner: Any, name: str, mutated: Any) -> Callable[[], None]:
    own = vars(owner).get(name, _ABSENT)
    setattr(owner, name, mutated)

    def restore() -> None:
        if own is _ABSENT:  # it was inherited
            delattr(owner, name)
        else:
            setattr(owner, name, own)

    return restore
