"""Trees of other Debian releases and processors in a folder, and programs that run in them.

Requires root, mmdebstrap (or network access to install it), and for aarch64 qemu-user-static and uv. The mirror is the
one that this machine's apt uses; what apt, pip and uv are configured with here also holds in the tree. Mounts are in a
mount namespace of their own and end with the program.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = "python3,python3-venv,ca-certificates,libgl1,libegl1,libgl1-mesa-dri"  # as the README says
EMULATED_PACKAGES = "base-files,coreutils,python3,libstdc++6"
EMULATED_RELEASE = "trixie"
LIBRARIES = ("numpy", "numba", "PyYAML")  # what physics, level and sim need
CONFIGURATION = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
KEPT_VARIABLES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "http_proxy", "https_proxy")
QEMU = "/usr/bin/qemu-aarch64-static"
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"  # header of aarch64 programs
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"


def mirror() -> str:
    """Address of the Debian mirror that apt uses here."""
    words = ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    found = sorted({line.partition(" ")[2] for line in lines if line.startswith("Debian ")})
    if not found:
        raise SystemExit("apt has no package list of Debian; run apt-get update")
    return found[0]


def make_tree(folder: Path, release: str, *options: str, packages: str = PACKAGES) -> Path:
    """A tree of a Debian release in `folder`, made if it is not there."""
    if not (folder / "usr" / "bin" / "python3").exists():
        if shutil.which("mmdebstrap") is None:
            subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "mmdebstrap"], check=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        stale = '--aptopt=Acquire::Check-Valid-Until "false"'  # a mirror may keep an old state of a testing release
        words = ["mmdebstrap", "--quiet", stale, f"--include={packages}", *(options or ["--variant=minbase"])]
        subprocess.run([*words, release, str(folder), mirror()], check=True)
    for name in CONFIGURATION:
        if Path(name).exists():
            Path(f"{folder}{name}").parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, f"{folder}{name}")
    return folder


def in_tree(tree: Path, command: str, folder: str = "/", **environment: str) -> list[str]:
    """The command line that runs a shell command in a tree."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    given = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **kept, **environment}
    inside = shlex.join(["env", "-i", *(f"{k}={v}" for k, v in given.items()), "sh", "-c", f"cd {folder} && {command}"])
    at = shlex.quote(str(tree))
    mounts = f"mount --rbind /dev {at}/dev && mount -t proc proc {at}/proc"
    return [
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        f"{mounts} && exec chroot {at} {inside}",
    ]


def copy_project(target: Path) -> Path:
    """Copy the project's own files, committed or not, to a folder; what was there is deleted."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


def make_emulated(folder: Path) -> Path:
    """A tree for aarch64 with Python and the libraries of the physics. Nothing runs in it while it is made."""
    tree = make_tree(folder, EMULATED_RELEASE, "--variant=extract", "--architectures=arm64", packages=EMULATED_PACKAGES)
    site = tree / "opt" / "site"
    if not site.exists():
        version = next((tree / "usr" / "bin").glob("python3.*")).name.removeprefix("python")
        words = ["uv", "pip", "install", "--quiet", "--target", str(site), "--only-binary", ":all:"]
        words += ["--python-platform", "aarch64-manylinux_2_28", "--python-version", version, *LIBRARIES]
        subprocess.run(words, check=True)
    copy_project(tree / "opt" / "project")
    return tree


def emulated_python(tree: Path, words: Sequence[str], **environment: str) -> list[str]:
    """The command line that runs Python with these arguments in the project of an emulated tree.

    The handler of binary formats is registered in a user namespace of its own (Linux 6.7 or newer).
    """
    given = {"PYTHONPATH": "/opt/project:/opt/site", "HOME": "/root", "LANG": "C.UTF-8", **environment}
    inside = ["env", "-i", "-C", "/opt/project", *(f"{k}={v}" for k, v in given.items()), "/usr/bin/python3", *words]
    at = shlex.quote(str(tree))
    steps = [
        "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc",
        f"printf %s '{':aarch64:M::' + MAGIC + ':' + MASK + ':' + QEMU + ':OCF'}' > /proc/sys/fs/binfmt_misc/register",
        f"mount --rbind /dev {at}/dev && mount --rbind /proc {at}/proc",
        f"exec chroot {at} {shlex.join(inside)}",
    ]
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", " && ".join(steps)]
