"""Check of the parts of Numba that are not its public interface, and that the compiler and cache of the kernels use.

Where one of them is not as expected, plain Numba compiles the kernels (plain_numba), with the same bits.
"""

from __future__ import annotations

import inspect
import os
from functools import cache
from importlib import import_module
from typing import Any

PLAIN_VARIABLE = "WALKER_PLAIN_NUMBA"  # environment variable: 1 compiles with plain Numba
COMPILER_OPTIONS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")  # of numba.config
EVENTS = "numba.core.event"

# (module, name in it, its parameters; None: only that it is there)
PARTS: tuple[tuple[str, str, str | None], ...] = (
    ("numba.core.base", "BaseContext.insert_user_function", "self func fndesc libs"),
    ("numba.core.codegen", "JITCodeLibrary", "codegen name"),
    ("numba.core.codegen", "JITCodeLibrary.codegen", None),
    ("numba.core.codegen", "JITCodeLibrary.enable_object_caching", "self"),
    ("numba.core.codegen", "JITCodeLibrary.finalize", "self"),
    ("numba.core.codegen", "JITCodeLibrary.get_pointer_to_function", "self name"),
    ("numba.core.codegen", "JITCodeLibrary.serialize_using_object_code", "self"),
    ("numba.core.codegen", "JITCodeLibrary._ensure_finalized", "self"),
    ("numba.core.codegen", "JITCodeLibrary._get_module_for_linking", "self"),
    ("numba.core.codegen", "JITCodeLibrary._optimize_final_module", "self"),
    ("numba.core.codegen", "JITCPUCodegen.set_env", "self env_name env"),
    ("numba.core.codegen", "get_host_cpu_features", ""),
    ("numba.core.compiler", "Compiler", "typingctx targetctx library args return_type flags locals"),
    ("numba.core.compiler", "Compiler.compile_extra", "self func"),
    ("numba.core.compiler", "Compiler.define_pipelines", "self"),
    ("numba.core.compiler", "CompileResult._rebuild", None),
    ("numba.core.compiler", "CompileResult._reduce", "self"),
    ("numba.core.compiler", "Flags.copy", "self"),
    ("numba.core.compiler", "Flags.get_mangle_string", "self"),
    ("numba.core.compiler", "Flags.values", "self"),
    ("numba.core.compiler_lock", "global_compiler_lock", None),
    ("numba.core.compiler_machinery", "PassManager", "pipeline_name"),
    ("numba.core.dispatcher", "Dispatcher", "py_func locals targetoptions pipeline_class"),
    ("numba.core.dispatcher", "Dispatcher.add_overload", "self cres"),
    ("numba.core.environment", "lookup_environment", None),
    (EVENTS, "Listener", None),
    (EVENTS, "install_listener", "kind listener"),
    (EVENTS, "register", "kind listener"),
    ("numba.core.options", "DefaultOptions._nrt", None),
    ("numba.core.registry", "CPUDispatcher", "py_func locals targetoptions pipeline_class"),
    ("numba.core.registry", "CPUDispatcher.get_call_template", "self args kws"),
    ("numba.core.serialize", "dumps", "obj"),
    ("numba.core.sigutils", "normalize_signature", "sig"),
    ("numba.core.types.misc", "unliteral", "lit_type"),
    ("numba.extending", "_Intrinsic", None),
)
LIBRARY_ATTRIBUTES = ("_codegen", "_final_module", "_linking_libraries", "_shared_module")


@cache
def plain_reason() -> str | None:
    """Why plain Numba compiles the kernels, in words; None where this package's own compiler does."""
    if os.environ.get(PLAIN_VARIABLE, "").strip() not in ("", "0"):
        return f"{PLAIN_VARIABLE} is set"
    return next(filter(None, map(unexpected_part, PARTS)), None) or _unexpected_library()


@cache
def numba_events() -> Any:
    """Numba's module of compiler events; None where it is not as expected, and nobody learns what is compiled."""
    is_known = not any(unexpected_part(part) for part in PARTS if part[0] == EVENTS)
    return import_module(EVENTS) if is_known else None


def unexpected_part(part: tuple[str, str, str | None]) -> str | None:
    """Why a part is not as expected, as `numba.core.event.register is missing`; None where it is."""
    module, name, expected = part
    try:
        found: Any = import_module(module)
        for each in name.split("."):
            found = getattr(found, each)
    except (ImportError, AttributeError):
        return f"{module}.{name} is missing"
    if expected is None:
        return None
    try:
        parameters = " ".join(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return f"{module}.{name} is of another kind"
    return None if parameters == expected else f"{module}.{name} takes other arguments ({parameters})"


def _unexpected_library() -> str | None:
    """Why a new code library is not as expected; the attributes of an object are seen only once there is one."""
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.registry import cpu_target

        attributes = vars(JITCodeLibrary(cpu_target.target_context.codegen(), "check"))
    except Exception as error:
        return f"numba.core.codegen.JITCodeLibrary cannot be made ({type(error).__name__}: {error})"
    missing = [name for name in LIBRARY_ATTRIBUTES if name not in attributes]
    return f"numba.core.codegen.JITCodeLibrary.{missing[0]} is missing" if missing else None
