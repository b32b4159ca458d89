/**
 * Proxies as processes, and what stands before and behind them. {@code Proxy} runs one of a
 * {@code ProxyKind} and reads its log; {@code SeenServer} is a server that knows what it saw;
 * {@code ProxyPlayer} sends bytes through the one to the other, and {@code ProxyComparison} says in what
 * their logs differ.
 */
package org.microhttp.checks.proxies.tools;
