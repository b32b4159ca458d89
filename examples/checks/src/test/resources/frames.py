"""Judges frames of clients as the package websockets does. Reads cases, each its length in 4 bytes and its
bytes; writes a line for each: a word for each message and control frame, as 1:6162, and !1002 if it fails."""
import codecs
import sys

from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.frames import Opcode
from websockets.protocol import OPEN, Protocol, Side

LIMIT = int(sys.argv[1])


def word(opcode, data):
    return f"{int(opcode)}:{bytes(data).hex()}"


def judge(data):
    # of a server, after the handshake
    protocol = Protocol(Side.SERVER, state=OPEN, max_size=LIMIT)
    protocol.receive_data(data)
    words, message, kind, decoder = [], b"", None, None
    for frame in protocol.events_received():
        if frame.opcode not in (Opcode.CONT, Opcode.TEXT, Opcode.BINARY):
            words.append(word(frame.opcode, frame.data))
            continue
        if frame.opcode != Opcode.CONT:
            # texts are decoded by what is above it
            message, kind, decoder = b"", frame.opcode, codecs.getincrementaldecoder("utf-8")()
        message += bytes(frame.data)
        if kind == Opcode.TEXT:
            try:
                decoder.decode(bytes(frame.data), frame.fin)
            except UnicodeDecodeError:
                return words + ["!1007"]
        if frame.fin:
            words.append(word(kind, message))
    if protocol.parser_exc is not None:
        words.append(f"!{int(protocol.close_sent.code)}")
    return words


while True:
    size = sys.stdin.buffer.read(4)
    if not size:
        break
    print(" ".join(judge(sys.stdin.buffer.read(int.from_bytes(size, "big")))))
