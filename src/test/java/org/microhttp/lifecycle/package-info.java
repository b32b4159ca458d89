/**
 * How loops and groups of loops start, share their work, stop, leave with a grace, and what they leave
 * behind. {@code TestServer} and {@code TestGroup} run them, {@code HoldingHandler} holds a request or the
 * loop while a test looks, {@code Stopping} is a call of {@code stop(grace)} on a thread of its own. Start
 * with {@code LoopLifecycleTest}, then {@code GroupLifecycleTest} and {@code LeavingTest}.
 */
package org.microhttp.lifecycle;
