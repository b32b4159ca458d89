/**
 * A service as people write it: {@code NotesServer} has its flags and its routes, {@code NotesPage} is its
 * page in HTML, and {@code NoteStore} keeps each {@code Note} in memory and in a folder.
 */
package notes;
