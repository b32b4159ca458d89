/**
 * FileServer, of the examples, beside other servers of files. {@link org.microhttp.files.FileComparison} is
 * the description: start there. A {@link org.microhttp.files.FileContent} is what is asked for, and {@code
 * MeasuredSite} the directory that all servers have.
 */
package org.microhttp.files;
