/**
 * Tests of the protocol without a server. {@code ParserRun} runs the parser: over every vector in
 * {@code RequestParserTest}, over random requests in random pieces in {@code RequestParserRandomTest}. The
 * other classes test its memory, its work, and each grammar alone. Start with {@code ByteQueueTest} or
 * {@code RequestParserTest}.
 */
package org.microhttp.protocol;
