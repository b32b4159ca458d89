// Writes what it gets as it comes; ends with 1 if the body is cut.
try {
  const response = await fetch(process.argv[2])
  for await (const piece of response.body) {
    process.stdout.write(piece)
  }
} catch {
  process.exitCode = 1
}
