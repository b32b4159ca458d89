/**
 * How loops and groups of loops start, share their work, stop, leave with a grace, and what they leave
 * behind. What a loop and a group have in common is tested once, for each {@code ServerKind}.
 * {@code TestServer} runs them, {@code HoldingHandler} holds a request or the loop while a test looks,
 * {@code Stopping} is a call of {@code stop(grace)} on a thread of its own. Start with
 * {@code LifecycleTest}, then {@code LeavingTest}.
 */
package org.microhttp.lifecycle;

