/**
 * What is decided about stored content and a request for it, whatever the content is stored in: no file is
 * opened here, but that of media types, and those that are encoded. {@link
 * org.microhttp.extras.representation.Outcome} is where
 * to begin: it says of a request and a {@link org.microhttp.extras.representation.Resource} with its
 * {@link org.microhttp.extras.representation.Variant}s what is sent, and with which fields.
 * <ul>
 * <li>the request: {@code RequestFields} finds its fields, {@code Negotiation} chooses a variant,
 *     {@code Preconditions} and {@code EntityTags} have the conditions, {@code ByteRange} the range</li>
 * <li>what is known of content before: {@link org.microhttp.extras.representation.Coding}, {@link
 *     org.microhttp.extras.representation.MediaTypes}, with
 *     {@code MimeTypesFile}, and {@link org.microhttp.extras.representation.CacheRules}, of
 *     {@link org.microhttp.extras.representation.PathPattern}s</li>
 * <li>answers that send nothing of it: {@link org.microhttp.extras.representation.PlainAnswers}</li>
 * <li>paths and names: {@link org.microhttp.extras.representation.UrlDecoding} decodes them, and
 *     {@link org.microhttp.extras.representation.TargetPath} is where a target leads</li>
 * <li>dates: {@link org.microhttp.extras.representation.HttpDate}; reason phrases: {@link
 *     org.microhttp.extras.representation.Reason}</li>
 * <li>files in another coding: {@link org.microhttp.extras.representation.Encoder} makes them</li>
 * </ul>
 * Nothing here keeps anything between two requests, and all is safe for all threads.
 */
package org.microhttp.extras.representation;
