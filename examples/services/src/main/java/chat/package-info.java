/**
 * A chat in the browser, by WebSockets: {@code ChatServer} with its {@code ChatFlags} and its {@code
 * ChatPage}. A {@code ChatRoom} knows who is there; a {@code ChatMember} is one of them, and the listener of
 * a connection.
 */
package chat;
