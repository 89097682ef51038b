"""Pictures to upload, and handmade uploads."""

import hashlib
import secrets
import struct
import zlib

from raw import get, request

BOUNDARY = "----pictures"
TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(width=64, height=48, seed=0, padding=0):
    """A PNG file that browsers show, with `padding` bytes that are not pixels."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows += bytes(((x * 4 + seed) % 256, (y * 5) % 256, (x + y + seed) % 256))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(rows)) + b"\0" * padding) + chunk(b"IEND", b"")
    )


def large_png(side):
    """A black PNG file of some kilobytes, whose pixels take many times that."""
    deflate = zlib.compressobj()
    rows = b"".join(deflate.compress(bytes(1 + 4 * side)) for _ in range(side)) + deflate.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


def from_camera(jpeg, orientation, secret):
    """A JPEG file like that of a camera, with an orientation and a secret in its metadata."""
    entries = struct.pack(">HHHII", 2, 274, 3, 1, orientation << 16)
    entries += struct.pack(">HHII", 270, 2, len(secret), 38) + struct.pack(">I", 0)
    exif = b"Exif\0\0MM" + struct.pack(">HI", 42, 8) + entries + secret
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def hash_of(content):
    return hashlib.sha256(content).hexdigest()


def file(content, name="picture.png", kind="image/png"):
    """A file in the form that Playwright accepts."""
    return {"name": name, "mimeType": kind, "buffer": content}


def multipart(fields, content=None, name="picture"):
    """A form in the encoding of browsers."""
    lines = b""
    for field, value in fields.items():
        lines += (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        ).encode()
    if content is not None:
        lines += (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="a.png"\r\n'
            "Content-Type: image/png\r\n\r\n"
        ).encode() + content + b"\r\n"
    return lines + f"--{BOUNDARY}--\r\n".encode()


def several(*forms):
    """The parts of several such forms as one."""
    end = f"--{BOUNDARY}--\r\n".encode()
    return b"".join(form.removesuffix(end) for form in forms) + end


def fields(animal="Dog", token="t"):
    return {"_form": "setPicture", "_token": token, "animalId": animal}


def upload(server, content, animal="Dog", token=None, **options):
    """Uploads like a program."""
    get(server, "/animals")  # which reads the catalog
    body = multipart(fields(animal, token or secrets.token_hex(8)), content)
    headers = {"Content-Type": TYPE, "Accept": "application/json"}
    return request(server, "POST", "/animals", body, headers, **options)


def exists(server, content):
    return request(server, "HEAD", f"/pictures/{hash_of(content)}").status == 200
