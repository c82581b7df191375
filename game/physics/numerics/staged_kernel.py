"""Kernel in two stages: interpreted at first, and compiled as soon as its machine code is in the kernel cache.

Both stages give the same bits, so the switch changes no result. A call runs in one stage from start to end.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import thread_time
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

from ...core.background import run_in_thread
from .background_compile import NOTICE, BackgroundCompiler, sole_compiler
from .jit import is_compiled, record_compiled

# Seconds are of processor time: on a busy machine the compiler needs longer too.
START_SECONDS = 1.0  # s in interpreted calls after which the background compiler starts
PATIENCE_SECONDS = 25.0  # s in interpreted calls after which a long call waits for the compiler
CHECK_SECONDS = 0.05  # s in interpreted calls between two looks at the cache folder
EXIT_SECONDS = 5.0  # s that the end of the process waits for a kernel that is being loaded

if hasattr(os, "register_at_fork"):
    # A fork waits for a kernel that another thread compiles: its child would wait for that thread for ever. Registered
    # before those of a StagedKernel, and thus called after them, for they wait for a thread that compiles.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )


class StagedKernel:
    """A kernel, its interpreted form, and the choice between the two. All callers of the process share one object."""

    def __init__(self, kernel: Any, part: str) -> None:
        """part: name in `background_compile` of what compiles the kernel."""
        self.kernel, self.part = kernel, part
        self.interpreted: Callable[..., Any] = getattr(kernel, "py_func", kernel)
        self.compiler = BackgroundCompiler(part)
        self.reset()
        self.is_loaded = False
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            # A child process must not inherit a lock that a thread of this process holds, nor the request.
            os.register_at_fork(
                before=self._before_fork, after_in_parent=self._after_fork_in_parent, after_in_child=self.reset
            )

    def reset(self) -> None:
        """Reset the time, the request for the compiler and the thread. A loaded kernel stays loaded."""
        self.compiler.release()
        self.compiler = BackgroundCompiler(self.part)
        self.seconds = 0.0  # s in interpreted calls
        self._next_check = 0.0
        self._loader: Future[None] | None = None
        self._can_load = True  # False once a thread has failed to
        self._lock = threading.Lock()

    def is_compiled(self) -> bool:
        """Whether the kernel is in the kernel cache, or needs no compiling."""
        return is_compiled(self.part)

    def call(self, *arguments: Any) -> Any:
        """Call the kernel in its present stage. The call is long enough to wait for the compiler."""
        if self.is_due(arguments, is_long=True):
            return self.kernel(*arguments)
        return self.interpret(*arguments)

    def interpret(self, *arguments: Any) -> Any:
        """Call the interpreted form and count its time, without the time in which it compiles what it calls."""
        began, compiling = thread_time(), NOTICE.seconds
        result = self.interpreted(*arguments)
        self.seconds += thread_time() - began - (NOTICE.seconds - compiling)
        return result

    def is_due(self, arguments: tuple[Any, ...], is_long: bool, at_once: bool = False) -> bool:
        """Whether to call the compiled kernel; `arguments` are those of a call, for their types.

        is_long: the call may wait for the compiler once the time in interpreted calls is worth it; at_once: now.
        """
        if self.is_loaded or (self.seconds < self._next_check and not at_once):
            return self.is_loaded
        if self._lock.acquire(blocking=False):  # else another thread is here
            try:
                self._next_check = self.seconds + CHECK_SECONDS
                self._update(arguments, at_once or (is_long and self.seconds >= PATIENCE_SECONDS))
            finally:
                self._lock.release()
        return self.is_loaded

    def _update(self, arguments: tuple[Any, ...], waits: bool) -> None:
        """Take the next step towards the compiled kernel: request it, load it, or use it. waits: take all steps now."""
        if waits:
            with sole_compiler(self.part) as compiles:
                self._load(arguments)
                if compiles:
                    record_compiled(self.part)
            self.compiler.wait_for_end()
            self._finish()
        elif self._loader is not None:
            if self._can_load and self._loader.done():
                self._finish()
        elif is_compiled(self.part):
            # Loading takes 0.1 to 0.2 s. In a thread, it delays a tick by some milliseconds at most.
            self._loader = run_in_thread("loading kernel", self._load_in_thread, arguments)
        elif self.seconds >= START_SECONDS:
            self.compiler.keep_running()

    def _load(self, arguments: tuple[Any, ...]) -> None:
        """Load the kernel for arguments of these types from the cache, or compile it."""
        self.kernel.compile(tuple(self.kernel.typeof_pyval(argument) for argument in arguments))

    def _load_in_thread(self, arguments: tuple[Any, ...]) -> None:
        try:
            self._load(arguments)
        except Exception:  # damaged files in the cache: interpreted calls still work
            self._can_load = False
        self.compiler.wait_for_end()

    def _finish(self) -> None:
        self.is_loaded, self._loader = True, None
        self.compiler.release()

    def _before_fork(self) -> None:
        self._lock.acquire()
        if self._loader is not None:
            wait([self._loader])

    def _after_fork_in_parent(self) -> None:
        self._lock.release()

    def close(self) -> None:
        """At the end of the process: withdraw the request, and join a loading thread, which would crash when LLVM shuts
        down."""
        self.compiler.release()
        if self._loader is not None:
            wait([self._loader], EXIT_SECONDS)
