/**
 * What it takes to measure anything: {@link org.microhttp.measure.Children} starts other programs, {@link
 * org.microhttp.measure.CpuTime} reads what they cost, {@link org.microhttp.measure.Machine} says where, and
 * {@link org.microhttp.measure.ResultFile} keeps it; {@link org.microhttp.measure.Usage} reads what was asked
 * for. Knows nothing of what is measured.
 */
package org.microhttp.measure;
