// Sends its input: upload.mjs URL chunked|counted LENGTH. Writes the answer, and the status or an error.
// Input that ends early is an error of the input if the body is chunked; else fetch has to see it.
const [url, framing, length] = process.argv.slice(2)

async function* read() {
  let left = Number(length)
  for await (const piece of process.stdin) {
    left -= piece.length
    yield piece
  }
  if (left > 0 && framing === 'chunked') throw new Error('the input ends early')
}

const headers = framing === 'counted' ? {'Content-Length': length} : {}
try {
  const response = await fetch(url, {method: 'POST', body: read(), duplex: 'half', headers})
  console.log(`${await response.text()}${response.status}`)
} catch (error) {
  console.log(`${error.cause ?? error}`)
  process.exitCode = 1
}
