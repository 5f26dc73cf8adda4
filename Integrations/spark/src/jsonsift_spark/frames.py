"""Where the frames of a compressed file begin: zstd (RFC 8878) and BGZF, found by their headers without decompression."""

from __future__ import annotations

from typing import BinaryIO

ZSTD_MAGIC = 0xFD2FB528
SKIPPABLE_MAGIC = 0x184D2A50
GZIP_MAGIC = b"\x1f\x8b\x08"


def frame_starts(file: BinaryIO, size: int) -> list[int] | None:
    """Returns the offsets at which frames with data begin; `None` if the file is of another kind or has other bytes.

    Args:
        file: The file, which can be read at any offset.
        size: Its size.
    """
    file.seek(0)
    head = file.read(18)
    if head.startswith(GZIP_MAGIC):
        return _bgzf_starts(file, size)
    if _is_zstd(head):
        return _zstd_starts(file, size)
    return None


def is_compressed(head: bytes) -> bool:
    """Returns whether a file with these first bytes, at least four of them if it has so many, is gzip or zstd."""
    return head.startswith(GZIP_MAGIC[:2]) or _is_zstd(head)


def _is_zstd(head: bytes) -> bool:
    # A zstd file may begin with a skippable frame, such as `pzstd` writes.
    magic = int.from_bytes(head[:4], "little")
    return len(head) >= 4 and (magic == ZSTD_MAGIC or magic & 0xFFFFFFF0 == SKIPPABLE_MAGIC)


def _bgzf_starts(file: BinaryIO, size: int) -> list[int] | None:
    starts: list[int] = []
    offset = 0
    while offset < size:
        file.seek(offset)
        head = file.read(18)
        # A member with one extra field: BC, two bytes long, with the size of the member less one.
        if len(head) < 18 or head[:4] != GZIP_MAGIC + b"\x04" or head[12:16] != b"BC\x02\x00":
            return None
        length = int.from_bytes(head[16:18], "little") + 1
        if length < 26 or offset + length > size:
            return None
        starts.append(offset)
        offset += length
    return starts


def _zstd_starts(file: BinaryIO, size: int) -> list[int] | None:
    starts: list[int] = []
    offset = 0
    while offset < size:
        file.seek(offset)
        head = file.read(8)
        magic = int.from_bytes(head[:4], "little")
        if len(head) < 8:
            return None
        if magic & 0xFFFFFFF0 == SKIPPABLE_MAGIC:
            offset += 8 + int.from_bytes(head[4:8], "little")
            continue
        if magic != ZSTD_MAGIC:
            return None
        end = _zstd_end(file, offset, head[4], size)
        if end is None:
            return None
        starts.append(offset)
        offset = end
    return starts if offset == size else None


def _zstd_end(file: BinaryIO, start: int, descriptor: int, size: int) -> int | None:
    """Returns the offset after a frame."""
    content_flag, is_single, has_checksum = descriptor >> 6, descriptor >> 5 & 1, descriptor >> 2 & 1
    content_bytes = (1 if is_single else 0, 2, 4, 8)[content_flag]
    dictionary_bytes = (0, 1, 2, 4)[descriptor & 3]
    offset = start + 5 + (0 if is_single else 1) + dictionary_bytes + content_bytes
    while True:
        file.seek(offset)
        head = file.read(3)
        if len(head) < 3:
            return None
        block = int.from_bytes(head, "little")
        is_last, kind, length = block & 1, block >> 1 & 3, block >> 3
        if kind == 3:
            return None
        # A block of one repeated byte stores that byte only.
        offset += 3 + (1 if kind == 1 else length)
        if is_last:
            break
    offset += 4 * has_checksum
    return offset if offset <= size else None
