"""The mechanism that plants mutants, on small fakes, and the whole catalogue."""

from __future__ import annotations

import types
from contextlib import ExitStack
from typing import Any

import pytest

from ol import codes, course
from ol.implementation import Implementation
from ol.judge import Judge
from ol.mutants import (
    CATALOGUE,
    CannotPlantError,
    Mutant,
    get,
    overlay,
    plant_in,
    witness_changed,
)
from ol.paths import UsageError
from ol.verdict import Verdict


def double(number: int) -> int:
    return 2 * number


def plus_one(original: Any, course: Any) -> Any:
    return lambda number: original(number) + 1


def mutant(target: str = "double", make: Any = plus_one, **changes: Any) -> Mutant:
    fields = {"id": "x01", "title": "", "pitfall": "", "symptom": "", "target": target}
    witness = changes.pop("witness", lambda course: course["double"](5))
    return Mutant(**fields, make=make, witness=witness, **changes)


# --- where the replacement goes


def test_a_name_is_replaced_inside_the_block_only() -> None:
    space: dict[str, Any] = {"double": double}
    with plant_in([space], mutant()):
        assert space["double"](5) == 11
    assert space == {"double": double}


def test_every_namespace_and_every_alias_of_the_same_object_is_replaced() -> None:
    home: dict[str, Any] = {"double": double}
    user: dict[str, Any] = {"double": double, "twice": double, "other": len}
    with plant_in([home, user], mutant()):
        assert home["double"](5) == user["double"](5) == user["twice"](5) == 11
        assert user["other"] is len
    assert user == {"double": double, "twice": double, "other": len}


def test_another_object_of_the_same_name_is_left_alone() -> None:
    def earlier(number: int) -> int:
        return number

    first: dict[str, Any] = {"double": earlier}
    last: dict[str, Any] = {"double": double}
    with plant_in([first, last], mutant()):
        assert first["double"] is earlier
        assert last["double"](5) == 11


def test_code_that_calls_the_name_sees_the_mistake() -> None:
    module = types.ModuleType("fake")
    source = "def double(n): return 2 * n\ndef quadruple(n): return double(double(n))"
    exec(source, module.__dict__)
    with plant_in([module], mutant()):
        assert module.quadruple(5) == 23
    assert module.quadruple(5) == 20


def test_a_replacement_may_use_other_public_names() -> None:
    space: dict[str, Any] = {"double": double, "STEP": 7}

    def make(original: Any, course: Any) -> Any:
        return lambda number: original(number) + course["STEP"]

    with plant_in([space], mutant(make=make)):
        assert space["double"](5) == 17


def test_a_name_that_a_later_space_imports_does_not_hide_the_definition() -> None:
    """01 defines a node `Sequence`, 10 imports the one of the standard library."""
    one, other = types.ModuleType("one"), types.ModuleType("other")
    exec("class Sequence: pass\ndef double(n): return 2 * n", one.__dict__)
    exec("from collections.abc import Sequence", other.__dict__)
    seen = []

    def make(original: Any, course: Any) -> Any:
        seen.append(course["Sequence"])
        return original

    with plant_in([one, other], mutant(make=make)):
        pass
    assert seen == [one.Sequence]


# --- methods


def machine() -> type:
    class Machine:
        def step(self, byte: int) -> int:
            return byte

    return Machine


def late(original: Any, course: Any) -> Any:
    return lambda self, byte: original(self, byte) + 1


def test_a_method_is_replaced_on_the_class_and_put_back() -> None:
    fake = machine()
    step = vars(fake)["step"]
    already_there = fake()
    with plant_in([{"Machine": fake}], mutant("Machine.step", late)):
        assert already_there.step(1) == 2
    assert vars(fake)["step"] is step


def test_an_inherited_method_leaves_nothing_behind() -> None:
    child = type("Child", (machine(),), {})
    with plant_in([{"Child": child}], mutant("Child.step", late)):
        assert child().step(1) == 2
    assert "step" not in vars(child)
    assert child().step(1) == 1


# --- recursion


def test_a_recursive_function_is_wrong_once_not_once_per_level() -> None:
    space: dict[str, Any] = {}
    exec("def depth(n): return 0 if n == 0 else 1 + depth(n - 1)", space)
    with plant_in([space], mutant("depth")):
        assert space["depth"](3) == 4
        assert space["depth"](3) == 4


def test_after_an_exception_the_next_outermost_call_is_wrong_again() -> None:
    def maybe(number: int) -> int:
        if number < 0:
            raise ValueError(number)
        return number

    space: dict[str, Any] = {"maybe": maybe}
    with plant_in([space], mutant("maybe")):
        with pytest.raises(ValueError, match="-1"):
            space["maybe"](-1)
        assert space["maybe"](1) == 2


# --- taking it out again


def test_everything_is_restored_after_an_exception() -> None:
    space: dict[str, Any] = {"double": double}
    with pytest.raises(RuntimeError), plant_in([space], mutant()):
        raise RuntimeError
    assert space == {"double": double}


def test_plants_can_be_nested() -> None:
    space: dict[str, Any] = {"double": double}
    with plant_in([space], mutant()):
        with plant_in([space], mutant()):
            assert space["double"](5) == 12
        assert space["double"](5) == 11
    assert space == {"double": double}


def test_a_name_that_the_block_itself_rebinds_is_left_as_it_is() -> None:
    space: dict[str, Any] = {"double": double}
    with plant_in([space], mutant()):
        space["double"] = len
    assert space == {"double": len}


@pytest.mark.parametrize("target", ["half", "Machine.run", "Nothing.step"])
def test_a_missing_target_is_refused_and_nothing_is_left_over(target: str) -> None:
    space: dict[str, Any] = {"double": double, "Machine": machine()}
    before = dict(space)
    with pytest.raises(CannotPlantError, match=f"x01: this code has no {target}"):
        ExitStack().enter_context(plant_in([space], mutant(target)))
    assert space == before


# --- the witness


def test_the_witness_tells_whether_the_mistake_shows() -> None:
    assert witness_changed(mutant(), [{"double": double}])
    unused = mutant(witness=lambda course: course["quadruple"](5))
    space = {"double": double, "quadruple": lambda number: 4 * number}
    assert not witness_changed(unused, [space])
    assert not witness_changed(mutant("half"), [{"double": double}])


def test_a_refusal_is_an_answer_of_the_witness() -> None:
    def refuse(number: int) -> int:
        raise ValueError(number)

    assert not witness_changed(mutant(), [{"double": refuse}])
    forgiving = mutant(make=lambda original, course: lambda number: 0)
    assert witness_changed(forgiving, [{"double": refuse}])


def test_an_unknown_id_lists_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match="no mutant 's99'; mutants have ids: .*s01a, s01b, .*u01"
    ):
        get("s99")


def test_ids_are_keys_and_every_mutant_says_what_it_is() -> None:
    for key, entry in CATALOGUE.items():
        assert key == entry.id
        assert entry.title and entry.pitfall and entry.symptom and entry.target


# --- the catalogue, on the reference


@pytest.fixture(scope="module")
def module() -> course.Module:
    return course.load().module("L10.9")


@pytest.fixture(scope="module")
def reference(module: course.Module) -> list[types.ModuleType]:
    chain = codes.reference(module)
    implementation = Implementation(module, chain)
    return [implementation.notebook(notebook_id) for notebook_id in chain]


def verdict(module: course.Module, check: str, planted: Mutant | None) -> Verdict:
    code = codes.resolve(module, "ref")
    judge = Judge(module, code, overlay=overlay(planted) if planted else None)
    return judge.run(module.check(check))


@pytest.mark.parametrize("id", sorted(CATALOGUE))
def test_every_mutant_changes_its_witness(id: str, reference: list[Any]) -> None:
    before = [dict(vars(notebook)) for notebook in reference]
    assert witness_changed(CATALOGUE[id], reference)
    assert [dict(vars(notebook)) for notebook in reference] == before


def test_every_mutant_has_a_test_in_the_course_table(module: course.Module) -> None:
    assert set(module.mutants) == set(CATALOGUE)
    for check in module.mutants.values():
        module.check(check)


@pytest.mark.parametrize("id", sorted(CATALOGUE))
def test_the_named_test_catches_the_mutant(id: str, module: course.Module) -> None:
    check = module.mutants[id]
    if not module.is_present(module.check(check).notebook):
        pytest.skip(f"the notebook of {check} is not in the course yet")
    assert verdict(module, check, None).state == "pass"
    assert verdict(module, check, CATALOGUE[id]).state == "wrong"


@pytest.mark.parametrize(
    ("id", "check", "state"),
    [
        ("s01a", "minimize", "wrong"),
        ("s01a", "regex_to_dfa", "wrong"),
        ("s01a", "hand_example_dfa", "pass"),  # seven blocks after one round
        ("s01b", "hand_example_dfa", "wrong"),
        ("u05", "hand_example_dfa", "pass"),  # no dead state in it
        ("u06", "hand_example_dfa", "wrong"),
    ],
)
def test_what_else_sees_a_mutant_of_04(
    id: str, check: str, state: str, module: course.Module
) -> None:
    assert verdict(module, check, CATALOGUE[id]).state == state
