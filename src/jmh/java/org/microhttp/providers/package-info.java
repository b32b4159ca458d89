/**
 * Compares providers of the JDK's {@code HttpServer}: the JDK's own, that of the examples, and others. {@link
 * org.microhttp.providers.Providers} is the program. It starts a {@link
 * org.microhttp.providers.ProvidedServer} with each provider, and has a {@code ProviderLoad} ask for each
 * {@code Work} of it, by turns.
 */
package org.microhttp.providers;
