"""Numba compiler of the kernels: links the functions of a kernel first, then optimises and translates them once.

Numba optimises each function together with all that it calls, and translates it to machine code, before it compiles the
caller. A function seven calls below `run_ticks` is thus optimised seven times. Here the library of an inner function
keeps only the LLVM module of that function; the library of a kernel links the modules of all functions that it reaches.
After that no other code can call them: private linkage lets LLVM drop the arguments that a function does not use and
inline functions that are called once. A tick takes less time for it, with the same bits: LLVM reorders no operation on
floats without fastmath.

Two functions of one name must never meet in the process, because LLVM's loader (RuntimeDyld) keeps one table of names
for all object files, and takes a weak definition for any that is there already. Numba's copies of a function in several
libraries are weak. With internal linkage the name of a function with dropped arguments was in that table, and a copy
with all arguments was replaced by it, which crashed. Private functions have no name in the object file. What has one,
a kernel or a copy of an inner function for numba's own libraries, is named by the digest of its content.

Numba's settings stay as they are for other code in the process.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

from .kernel_cache import KernelCache
from .kernel_key import function_digest

# Compiler passes for parts of Python that no kernel uses: closures, `with`, exceptions with arguments, array
# expressions, loops over tuples of several types. They take a tenth of the time.
UNUSED_PASSES = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
    "DumpParforDiagnostics",
}
ALL_OPTIONS = {"nopython": True, "boundscheck": None}  # of inner functions and of kernels
ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"  # names of the global variables that point to the environment of a function


class _NoEngine:
    """Code generator as seen by numba after an inner function is compiled: there is no machine code to initialise."""

    def set_env(self, name: str, environment: object) -> None:
        """Nothing: the library of the kernel sets the environments of all its functions."""


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code library of a function that only kernels call: its own LLVM module, and the libraries that it calls."""

    _linking_libraries: list[Any]
    _shared_module: Any

    @property
    def codegen(self) -> Any:
        """A code generator that ignores the environment, for CPUContext.get_executable."""
        return _NoEngine()

    def finalize(self) -> None:
        """Close the library, without optimising the module and without machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: no machine code."""
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self) -> Any:
        """The module with all that it calls, for a library of numba's own kind (a kernel of somebody else)."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in _callers_first(self._linking_libraries):
                other = (
                    library._final_module if isinstance(library, InnerLibrary) else library._get_module_for_linking()
                )
                module.link_in(other, preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code library of a kernel: links the modules of all functions that the kernel reaches, then optimises them."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link, optimise, and translate to machine code."""
        self._own_names = {function.name for function in self._final_module.functions if not function.is_declaration}
        libraries = _callers_first(self._linking_libraries)
        for library in libraries:
            if isinstance(library, InnerLibrary):
                self._final_module.link_in(library._final_module, preserve=True)
        self._linking_libraries = [library for library in libraries if not isinstance(library, InnerLibrary)]
        super().finalize()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT_PREFIX):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)

    def _optimize_final_module(self) -> None:
        """Give what is linked in private linkage, then optimise."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in self._own_names:
                function.linkage = "private"
        super()._optimize_final_module()


def _callers_first(libraries: Iterable[Any]) -> list[Any]:
    """The libraries and all that inner libraries among them call, each once, callers before what they call.

    A linker takes a function that may be defined several times only if something linked before calls it.
    """
    found: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library not in found:
            if isinstance(library, InnerLibrary):
                for called in library._linking_libraries:
                    visit(called)
            found[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(found))


class _SharedFlags(Flags):  # type: ignore[misc]
    """Compiler flags during a compilation: one object for all equal flags, so that they compare by identity.

    Numba looks up each operation with the flags as a part of the key. Comparing some thirty properties each time takes
    an eighth of the time of a compilation.
    """

    __slots__ = ("_hash",)

    def __init__(self, flags: Flags) -> None:
        super().__init__(flags)
        self._hash: int = super().__hash__()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, _SharedFlags) else bool(super().__eq__(other))

    def copy(self) -> Flags:
        """Flags that may be changed."""
        return Flags(self)


_shared_flags: list[_SharedFlags] = []  # a kernel has one of about four sets of flags


class _KernelFlags(Flags):  # type: ignore[misc]
    """Compiler flags of a kernel; their copy, which numba works with, is a _SharedFlags."""

    __slots__ = ("_digest",)

    def __init__(self, flags: Flags, digest: str) -> None:
        super().__init__(flags)
        self._digest = digest

    def get_mangle_string(self) -> str:
        """What numba adds to the function's name in LLVM: here a digest of the function as well."""
        return f"{super().get_mangle_string()}{self._digest}"

    def copy(self) -> Flags:
        """The shared flags that equal these."""
        values = self.values()
        for flags in _shared_flags:
            if flags.values() == values:
                return flags
        _shared_flags.append(_SharedFlags(self))
        return _shared_flags[-1]


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with the code library of a kernel, and without the passes that no kernel needs."""

    library_class: type[JITCodeLibrary] = KernelLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a Python function."""
        self.state.library = self.library_class(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags = _KernelFlags(self.state.flags, function_digest(func))
        return super().compile_extra(func)

    def define_pipelines(self) -> Any:
        """Numba's pipelines without UNUSED_PASSES."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [entry for entry in pipeline.passes if entry[0].__name__ not in UNUSED_PASSES]
        return pipelines


class InnerCompiler(KernelCompiler):
    """KernelCompiler for a function that only kernels call."""

    library_class = InnerLibrary


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """Numba dispatcher of a kernel. A call with a literal uses the same machine code as one with a variable."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signature for a call from another kernel. Numba's own compiles a function again for each literal."""
        args = tuple(unliteral(argument) for argument in args)
        return super().get_call_template(args, {name: unliteral(value) for name, value in kws.items()})


class InnerKernel(Kernel):
    """Dispatcher of a function that is compiled only as part of kernels. A call from Python runs the plain function."""

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


def compile_inner(function: Any, options: dict[str, Any], inline: bool) -> InnerKernel:
    """Dispatcher of an inner function; `inline`: into each caller."""
    more = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} | ({"forceinline": True} if inline else {})
    return InnerKernel(function, targetoptions={**ALL_OPTIONS, **more, **options}, pipeline_class=InnerCompiler)


def compile_kernel(function: Any, options: dict[str, Any], folder: Path | None) -> Kernel:
    """Dispatcher of a kernel, with the kernel cache; `folder` is the user's, None: nothing is written."""
    kernel = Kernel(function, targetoptions={**ALL_OPTIONS, **options}, pipeline_class=KernelCompiler)
    kernel._cache = KernelCache(kernel, folder)
    return kernel
