/**
 * Forms with files: bodies of the type {@code multipart/form-data} (RFC 7578), received as they come. Only
 * the library is needed to copy it.
 * <ul>
 * <li>{@code FormHandler} is what a program makes; {@code FormLimits} are its limits; it gives the program a
 *     {@code Form} with its {@code FormFile}s
 * <li>{@code FormReceiver} receives a body, has an executor parse it, and answers for it
 * <li>{@code FormParts} keeps what the parser finds: fields in memory, files in a folder
 * <li>{@code MultipartParser} takes a body apart, wherever it is cut; {@code PartHead} and {@code FieldValue}
 *     read the fields of a part
 * <li>{@code FormException} is why a form is refused
 * </ul>
 */
package org.microhttp.extras.forms;
