"""A seccomp filter for the worker: no sockets, no processes, no signals, no privileged calls.

Built as classic BPF (Linux, Documentation/userspace-api/seccomp_filter.rst); the worker installs it
on itself before it loads any generated code. A second wall behind the namespaces, and in the weak
mode the only one.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCH_AT, _ARGUMENT_AT = 0, 4, 16
_CLONE_THREAD = 0x10000
_X32_BIT = 0x40000000


@dataclass(frozen=True, slots=True)
class _Machine:
    arch: int
    clone: int
    clone3: int
    denied: tuple[int, ...]


_COMMON = (
    # io_uring, pidfd_send_signal, the new mount calls, pidfd_open, pidfd_getfd, process_madvise …
    *(424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442),
)

_MACHINES = {
    "x86_64": _Machine(
        arch=0xC000003E,
        clone=56,
        clone3=435,
        denied=(
            *(41, 42, 43, 49, 50, 288),  # socket, connect, accept, bind, listen, accept4
            *(57, 58, 59, 322),  # fork, vfork, execve, execveat
            *(62, 200, 234, 129, 297),  # kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
            *(101, 310, 311, 312),  # ptrace, process_vm_readv and _writev, kcmp
            *(155, 161, 165, 166, 272, 308),  # pivot_root, chroot, (u)mount, unshare, setns
            *(248, 249, 250, 298, 321, 323),  # keys, perf_event_open, bpf, userfaultfd
            *(175, 176, 313, 246, 320, 169),  # modules, kexec, reboot
            *(303, 304, 300, 135, 167, 168),  # file handles, fanotify, personality, swap
            *(103, 159, 163, 164, 170, 171, 172, 173, 179, 227, 305),  # clocks, names, ports, logs
            *_COMMON,
        ),
    ),
    "aarch64": _Machine(
        arch=0xC00000B7,
        clone=220,
        clone3=435,
        denied=(
            *(198, 203, 202, 200, 201, 242),  # socket, connect, accept, bind, listen, accept4
            *(221, 281),  # execve, execveat
            *(129, 130, 131, 138, 240),  # kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
            *(117, 270, 271, 272),  # ptrace, process_vm_readv and _writev, kcmp
            *(41, 51, 40, 39, 97, 268),  # pivot_root, chroot, (u)mount, unshare, setns
            *(217, 218, 219, 241, 280, 282),  # keys, perf_event_open, bpf, userfaultfd
            *(105, 106, 273, 104, 294, 142),  # modules, kexec, reboot
            *(264, 265, 262, 92, 224, 225),  # file handles, fanotify, personality, swap
            *(116, 171, 89, 170, 161, 162, 60, 112, 266),  # clocks, names, logs
            *_COMMON,
        ),
    ),
}


def build_filter(machine: str = "") -> bytes:
    """Give the filter for a machine (this one by default), or nothing where there is none."""
    found = _MACHINES.get(machine or platform.machine())
    if found is None:
        return b""
    lines = [
        _line(_LOAD, 0, 0, _ARCH_AT),
        _line(_EQUAL, 1, 0, found.arch),
        _line(_RETURN, 0, 0, _KILL),
        _line(_LOAD, 0, 0, _NUMBER_AT),
        _line(_AT_LEAST, 0, 1, _X32_BIT),
        _line(_RETURN, 0, 0, _ERRNO | errno.EPERM),
        # The C library falls back to clone, whose flags a filter can read.
        _line(_EQUAL, 0, 1, found.clone3),
        _line(_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    for number in found.denied:
        lines += [_line(_EQUAL, 0, 1, number), _line(_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    lines += [
        _line(_EQUAL, 0, 3, found.clone),
        _line(_LOAD, 0, 0, _ARGUMENT_AT),
        _line(_BITS, 1, 0, _CLONE_THREAD),
        _line(_RETURN, 0, 0, _ERRNO | errno.EPERM),
        _line(_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, yes: int, no: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)
