/**
 * A service as people write it: notes in JSON, a page with a form, files that are uploaded, static files.
 * <ol>
 * <li>{@code NotesServer}: the program, its flags and its options
 * <li>{@code NotesHandler}: every route, and the handler of each
 * <li>{@code NotesPage}: the page, in HTML
 * <li>{@code NoteStore}, {@code Note}: the notes, in memory and in a folder
 * </ol>
 */
package notes;
