# Writes what it gets as it comes; ends with 1 if the body is cut.
import sys
import httpx

try:
    with httpx.stream("GET", sys.argv[1]) as response:
        for piece in response.iter_raw():
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
except httpx.HTTPError:
    sys.exit(1)
