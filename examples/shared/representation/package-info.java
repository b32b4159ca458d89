/**
 * What is decided about stored content and a request for it, whatever the content is stored in: no file is
 * opened here, but that of media types, and those that are encoded. {@link representation.Outcome} is where
 * to begin: it says of a request and a {@link representation.Resource} with its
 * {@link representation.Variant}s what is sent, and with which fields.
 * <ul>
 * <li>the request: {@code RequestFields} finds its fields, {@code Negotiation} chooses a variant,
 *     {@code Preconditions} and {@code EntityTags} have the conditions, {@code ByteRange} the range</li>
 * <li>what is known of content before: {@link representation.Coding}, {@link representation.MediaTypes}, with
 *     {@code MimeTypesFile}, and {@link representation.CacheRules}, of
 *     {@link representation.PathPattern}s</li>
 * <li>answers that send nothing of it: {@link representation.PlainAnswers}</li>
 * <li>paths and names: {@link representation.UrlDecoding} decodes them, and
 *     {@link representation.TargetPath} is where a target leads</li>
 * <li>dates: {@link representation.HttpDate}; reason phrases: {@link representation.Reason}</li>
 * <li>files in another coding: {@link representation.Encoder} makes them</li>
 * </ul>
 * Nothing here keeps anything between two requests, and all is safe for all threads.
 */
package representation;
