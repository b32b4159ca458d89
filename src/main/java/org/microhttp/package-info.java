/**
 * An embeddable HTTP/1.1 server that is read in an hour.
 */
package org.microhttp;
