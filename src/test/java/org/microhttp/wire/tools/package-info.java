/**
 * What only tests of the wire need: a client that sends one byte now and then.
 */
package org.microhttp.wire.tools;
