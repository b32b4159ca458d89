/** Programs of endurance for the extras and the tools: {@code examples/checks/full} runs them. */
package org.microhttp.checks.examples;
