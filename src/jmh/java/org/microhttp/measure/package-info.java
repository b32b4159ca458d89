/**
 * What it takes to measure anything: {@link org.microhttp.measure.Children} starts other programs, {@link
 * org.microhttp.measure.CpuTime} reads what they cost, {@link org.microhttp.measure.Machine} says where, and
 * {@link org.microhttp.measure.ResultFile} keeps it; {@link org.microhttp.measure.Usage} reads what was asked
 * for, {@link org.microhttp.measure.LoadCount} what a load generator counted, and {@link
 * org.microhttp.measure.CpuMeter} what a run cost, once {@link org.microhttp.measure.Warmth} is reached;
 * {@link org.microhttp.measure.Problems} are what went wrong.
 * Knows nothing of what is measured.
 */
package org.microhttp.measure;
