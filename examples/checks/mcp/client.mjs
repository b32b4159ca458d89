// The official client for TypeScript, as check runs it: client.mjs URL. Ends with an error if anything is wrong.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const url = new URL(process.argv[2])
const say = (...words) => console.log('typescript:', ...words)
const folder = 'node_modules/@modelcontextprotocol/sdk/package.json'
say('@modelcontextprotocol/sdk', JSON.parse(readFileSync(folder)).version)

const client = new Client({ name: 'check', version: '1' })
const transport = new StreamableHTTPClientTransport(url)
await client.connect(transport)
const session = transport.sessionId
assert.match(session, /^[0-9a-f-]{36}$/)
say(`initialize: ${client.getServerVersion().name}, ${transport.protocolVersion}`)
const names = (await client.listTools()).tools.map(tool => tool.name)
assert.deepEqual(names, ['add', 'count'])
say('tools/list:', ...names)

const added = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
assert.deepEqual(added, { content: [{ type: 'text', text: '5' }], isError: false })
const wrong = await client.callTool({ name: 'add', arguments: { a: 2 } })
assert.equal(wrong.isError, true)
say('tools/call add:', added.content[0].text, 'and without b:', wrong.content[0].text)

const progress = []
const counted = await client.callTool({ name: 'count', arguments: { to: 5, wait_ms: 20 } }, undefined,
    { onprogress: report => progress.push(report.progress) })
assert.equal(counted.content[0].text, 'counted to 5')
assert.deepEqual(progress, [1, 2, 3, 4, 5])
say('tools/call count:', counted.content[0].text, 'with progress', progress.join(' '))

const abort = new AbortController()
const call = client.callTool({ name: 'count', arguments: { to: 100, wait_ms: 1000 } }, undefined,
    { signal: abort.signal })
setTimeout(() => abort.abort('enough'), 500)
await assert.rejects(call)
assert.equal((await client.callTool({ name: 'add', arguments: { a: 0, b: 0 } })).content[0].text, '0')
say('notifications/cancelled: then the next call is answered')

await transport.terminateSession()
await client.close()
const after = await fetch(url, {
  method: 'POST',
  headers: { Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': session },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
})
assert.equal(after.status, 404)
say('end of session: then its id gets', after.status)

const page = new StreamableHTTPClientTransport(url, { requestInit: { headers: { Origin: 'https://example.com' } } })
await assert.rejects(new Client({ name: 'page', version: '1' }).connect(page), refusal => {
  say('Origin https://example.com:', refusal.message.trim())
  return refusal.code === 403
})
