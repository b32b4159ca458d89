/**
 * What a user has of the library is what was meant. {@code PublicApiTest}: its public members are those of
 * {@code api.txt}. {@code InsideTest}: the picture of the classes. {@code JarTest}: the jar has the library
 * alone, and needs nothing. {@code ClosedWorldTest}: nothing is found by its name.
 */
package org.microhttp.documents;
