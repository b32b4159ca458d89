/**
 * Proxies as processes, and what stands before and behind them. {@code Proxy} runs one of a
 * {@code ProxyKind} and reads its log; {@code SeenServer} is a server that knows what it saw;
 * {@code ProxyPlayer} sends bytes through the one to the other, and {@code ProxyComparison} says in what
 * their logs differ. {@code Balancer} runs HAProxy with health checks before {@code ManyServers}, of which
 * each process is a {@code ServersProgram}, and {@code H2load} is the load.
 */
package org.microhttp.proxies.tools;
