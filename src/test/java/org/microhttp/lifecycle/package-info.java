/**
 * How servers start, share their work, and end: stopped, closed, interrupted, or gracefully, see {@code
 * EndTest}; and what they leave behind. What a loop and a group have in common is tested once, for each
 * {@code ServerKind}. {@code HoldingHandler} holds a request or the loop while a test looks, and
 * {@code PendingStop} is a call of {@code stop(grace)} on a thread of its own.
 */
package org.microhttp.lifecycle;
