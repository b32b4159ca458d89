/**
 * The short programs and the scripts of {@code examples}, run as a user runs them. Start with
 * {@code ExamplesTest}.
 */
package org.microhttp.services;
