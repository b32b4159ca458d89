# Sends its input: upload.py URL chunked|counted LENGTH. Writes the answer, and the status or an error.
# Input that ends early is an error of the input if the body is chunked; else the library has to see it.
import sys
import httpx

url, framing, length = sys.argv[1], sys.argv[2], int(sys.argv[3])


def body():
    left = length
    while piece := sys.stdin.buffer.read1(1 << 16):
        left -= len(piece)
        yield piece
    if left > 0 and framing == "chunked":
        raise EOFError("the input ends early")


headers = {"Content-Length": str(length)} if framing == "counted" else {}
try:
    response = httpx.post(url, content=body(), headers=headers, timeout=None)
    print(response.text, response.status_code, sep="")
except Exception as error:
    print(type(error).__name__, error)
    sys.exit(1)
