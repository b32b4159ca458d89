"""The official client for Python, as check runs it: client.py URL. Ends with an error if anything is wrong."""

import asyncio
import importlib.metadata
import sys

import httpx2
import mcp
from mcp.client.streamable_http import streamable_http_client

URL = sys.argv[1]


def say(*words):
    print("python:", *words)


async def use(mode):
    """Uses the tools; auto first asks for the stateless revision, and falls back. Returns the session's id."""
    sessions = []

    async def note(response):
        sessions.extend(response.headers.get_list("mcp-session-id"))

    progress = []

    async def on_progress(done, total, message):
        progress.append((done, total))

    async with httpx2.AsyncClient(event_hooks={"response": [note]}) as http:
        transport = streamable_http_client(URL, http_client=http)
        async with mcp.Client(transport, mode=mode) as client:
            say(f"initialize ({mode}): {client.server_info.name}, {client.protocol_version}")
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["add", "count"], names
            say("tools/list:", *names)
            added = await client.call_tool("add", {"a": 2, "b": 3})
            assert (added.is_error, added.content[0].text) == (False, "5"), added
            wrong = await client.call_tool("add", {"a": 2})
            assert wrong.is_error, wrong
            say("tools/call add:", added.content[0].text, "and without b:", wrong.content[0].text)
            counted = await client.call_tool("count", {"to": 5, "wait_ms": 20}, progress_callback=on_progress)
            assert counted.content[0].text == "counted to 5", counted
            assert progress == [(number, 5) for number in range(1, 6)], progress
            say("tools/call count:", counted.content[0].text, "with progress", [done for done, _ in progress])
            call = asyncio.create_task(client.call_tool("count", {"to": 100, "wait_ms": 1000}))
            await asyncio.sleep(0.5)
            call.cancel()
            await asyncio.wait([call], timeout=5)
            assert call.cancelled(), call
            assert (await client.call_tool("add", {"a": 0, "b": 0})).content[0].text == "0"
            say("notifications/cancelled: then the next call is answered")
    assert len(sessions) == 1, sessions
    return sessions[0]


async def refused(headers):
    """Returns the status that a client with these fields is answered with first."""
    statuses = []

    async def note(response):
        statuses.append(response.status_code)

    try:
        async with httpx2.AsyncClient(headers=headers, event_hooks={"response": [note]}) as http:
            async with mcp.Client(streamable_http_client(URL, http_client=http), mode="legacy"):
                pass
    except BaseException as e:
        say(f"Origin {headers['Origin']}: {statuses}, {type(e).__name__}")
    return statuses


async def main():
    say("mcp", importlib.metadata.version("mcp"))
    for mode in ("legacy", "auto"):
        session = await use(mode)
        fields = {"Accept": "application/json, text/event-stream", "Mcp-Session-Id": session}
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        async with httpx2.AsyncClient(headers=fields) as http:
            status = (await http.post(URL, json=ping)).status_code
        assert status == 404, status
        say("end of session: then its id gets", status)
    assert await refused({"Origin": "https://example.com"}) == [403]


asyncio.run(main())
