/**
 * What must come of bytes, said apart from the parser that is tested. {@code ParserVector} reads
 * vectors.txt, whose head explains the notation; {@code VectorFile} and {@code Escapes} read what it has in
 * common with wire.txt. {@code RequestModel} makes random requests,
 * {@code RequestRenderer} writes them in any way that the grammar allows, {@code RequestMutator} damages
 * them, and {@code ReferenceParser} judges the result by regular expressions over the whole input;
 * {@code ReferenceProxyHeader} judges PROXY headers.
 * {@code RandomCases} runs a check for many seeds and names the one that fails. All say what came of it as
 * {@code ParserOutcome} and {@code Parsed}.
 */
package org.microhttp.wire.model;
