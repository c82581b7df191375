"""Fused multiply-adds in the machine code of all kernels: `python -m tools.verify.fused_operations` counts them.

A fused multiply-add rounds once where a product and a sum round twice, so a compiler that fuses gives other bits. The
kernels are compiled here, and their LLVM code is then translated for each of `PROCESSORS`: none has to be there. As a
control the code is translated again with leave to fuse. Status 1 if a kernel has a fused operation without that leave,
or if the control shows none on a processor.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

PROCESSORS = (
    ("x86_64-unknown-linux-gnu", "x86-64"),
    ("x86_64-unknown-linux-gnu", "znver3"),
    ("x86_64-unknown-linux-gnu", "skylake-avx512"),
    ("aarch64-unknown-linux-gnu", "generic"),
    ("aarch64-unknown-linux-gnu", "neoverse-v2"),
    ("arm64-apple-macosx", "apple-m1"),
)
FUSED = re.compile(r"^\s+(?:fn?m(?:add|sub)|fml[as]|fn?ml[as]|vfn?m(?:add|sub)\w*)[.\s]", re.M)
PRODUCTS = re.compile(r"^\s+v?(?:fmul|mul[sp]d)[.\s]", re.M)
HAS_FMA = {cpu for _, cpu in PROCESSORS} - {"x86-64"}


def assembly(code: str, triple: str, processor: str) -> str:
    """The machine code, as text, of LLVM code for a processor.

    LLVM code that was optimised for x86 counts references with an instruction of x86; elsewhere that is a call.
    """
    import llvmlite.binding as llvm

    code = re.sub(r"^target (?:triple|datalayout) = .*$", "", code, flags=re.M)
    if not triple.startswith("x86"):
        code = re.sub(r"^declare .*@llvm\.x86\..*$", lambda found: found[0].replace(" immarg", ""), code, flags=re.M)
        code = code.replace("@llvm.x86.", "@x86.")
    module = llvm.parse_assembly(code)
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=3)
    module.triple, module.data_layout = triple, str(machine.target_data)
    text: str = machine.emit_assembly(module)
    return text


def fusible(code: str) -> str:
    """LLVM code in which products may be fused with sums."""
    return re.sub(r"\b(fmul|fadd|fsub) (?=double|<)", r"\1 contract ", code)


def kernels() -> Iterator[tuple[str, str]]:
    """(name, LLVM code) of each kernel that `physics.prepare` compiles."""
    from numba.core import event

    from game.physics import prepare

    found: list[Any] = []

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            if event.data["dispatcher"] not in found:
                found.append(event.data["dispatcher"])

    with event.install_listener("numba:compile", Listener()):
        for part in prepare.COMPILE_PARTS:
            prepare.compile_part(part, lambda done, name: None)
    for dispatcher in found:
        for code in dispatcher.inspect_llvm().values():
            yield dispatcher.py_func.__name__, code


def main() -> int:
    """Print a Markdown table, a row for each processor. Returns 1 for a fused operation."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    codes = list(kernels())
    print(f"{len(codes)} kernels\n")
    print("| platform | processor | products | fused | fused with leave |\n|---|---|---:|---:|---:|")
    is_good = bool(codes)
    for triple, processor in PROCESSORS:
        texts = [(name, assembly(code, triple, processor)) for name, code in codes]
        fused = [name for name, text in texts if FUSED.search(text)]
        control = sum(len(FUSED.findall(assembly(fusible(code), triple, processor))) for _, code in codes)
        products = sum(len(PRODUCTS.findall(text)) for _, text in texts)
        count = sum(len(FUSED.findall(text)) for _, text in texts)
        print(f"| {triple} | {processor} | {products} | {count} | {control} |", flush=True)
        for name in fused:
            print(f"fused: {name}", file=sys.stderr)
        is_good &= not fused and (control > 0) == (processor in HAS_FMA)
    return 0 if is_good else 1


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fused-") as folder:
        os.environ |= {"WALKER_CACHE": folder, "WALKER_BACKGROUND_COMPILE": "0"}  # else kept kernels have no LLVM code
        sys.exit(main())
