/** What only tests of the life cycle need: a parent process that hands its listening socket to a server. */
package org.microhttp.lifecycle.tools;
