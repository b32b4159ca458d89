/**
 * Tools for language models: the Model Context Protocol by streamable HTTP, in its revisions 2025-11-25 and
 * 2025-06-18.
 * <ol>
 * <li>{@code McpServer}: the program, its options and its tools
 * <li>{@code McpHandler}: the endpoint, and each method
 * <li>{@code Message}: JSON-RPC 2.0
 * <li>{@code Sessions}: who has initialized
 * <li>{@code Tool}, {@code Call}: what a tool is, and a call of one, with its stream
 * </ol>
 */
package mcp;
