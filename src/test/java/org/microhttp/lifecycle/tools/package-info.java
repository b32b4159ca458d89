/**
 * What only tests of the life cycle need: a server that touches as few classes as it can, so that those
 * which the library loads can be counted.
 */
package org.microhttp.lifecycle.tools;
