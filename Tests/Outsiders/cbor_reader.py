"""A reader of deterministic CBOR (RFC 8949, 4.2.1)."""
import struct


def item(data, at=0):
    """A CBOR item of `data` and where it ends; refuses what is not in its shortest form, and keys out of order."""
    first, at = data[at], at + 1
    major, extra = first >> 5, first & 31
    if major == 7:
        if extra in (20, 21, 22):
            return {20: False, 21: True, 22: None}[extra], at
        size, form = {25: (2, ">e"), 26: (4, ">f"), 27: (8, ">d")}[extra]
        value = struct.unpack(form, data[at:at + size])[0]
        for smaller in (">e", ">f"):
            try:
                if struct.calcsize(smaller) < size and struct.unpack(smaller, struct.pack(smaller, value))[0] == value:
                    raise ValueError(f"{value} in {size} bytes")
            except OverflowError:
                pass
        return value, at + size
    count = extra
    if extra >= 24:
        size = 1 << (extra - 24)
        count, at = int.from_bytes(data[at:at + size], "big"), at + size
        if count < (24 if size == 1 else 1 << (4 * size)):
            raise ValueError(f"{count} in {size} bytes")
    if major in (0, 1):
        return (count if major == 0 else -1 - count), at
    if major == 3:
        return data[at:at + count].decode(), at + count
    if major == 4:
        result = []
        for _ in range(count):
            value, at = item(data, at)
            result.append(value)
        return result, at
    if major == 5:
        result, before = {}, b""
        for _ in range(count):
            begin = at
            key, at = item(data, at)
            if data[begin:at] <= before:
                raise ValueError(f"key {key} out of order")
            before = data[begin:at]
            result[key], at = item(data, at)
        return result, at
    raise ValueError(f"major type {major}")
