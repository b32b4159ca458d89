package chat;

import java.nio.charset.StandardCharsets;

/** What the browser shows: the chat in one file, without anything from elsewhere. */
final class ChatPage {

    private static final String TEXT = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Chat</title>
            <style>
              body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto }
              h1 { margin: 0 }
              #here { color: #456 }
              #said { list-style: none; padding: 0; min-height: 12rem }
              #said b { color: #036; margin-right: .5rem }
              #state { color: #a30; min-height: 1.5rem }
              form { display: flex; gap: .5rem }
              input { flex: 1; font: inherit; padding: .3rem .5rem }
              button { font: inherit; padding: .3rem 1rem }
            </style>
            <h1>Chat</h1>
            <p id="here">nobody is here</p>
            <ol id="said"></ol>
            <form><input name="line" placeholder="your name" maxlength="1000" autofocus autocomplete="off">
            <button>enter</button></form>
            <p id="state" role="status"></p>
            <script>
              const find = id => document.getElementById(id)
              const form = document.forms[0]
              const input = form.elements.line
              let name = new URLSearchParams(location.search).get('name')
              let socket

              function connect() {
                socket = new WebSocket(new URL('socket', location.href).href.replace(/^http/, 'ws'))
                socket.onopen = () => {
                  find('state').textContent = ''
                  socket.send(name)
                }
                socket.onmessage = event => show(JSON.parse(event.data))
                socket.onclose = event => {
                  find('here').textContent = 'you are not connected'
                  find('state').textContent = event.reason || 'the connection is lost'
                  // codes of the chat itself: another name may do; else the server may come back
                  if (event.code >= 4000) ask()
                  else setTimeout(connect, 2000)
                }
              }

              function show(message) {
                if (message.here) {
                  find('here').textContent = 'here: ' + message.here.join(', ')
                  return
                }
                const item = document.createElement('li')
                const who = document.createElement('b')
                who.textContent = message.name
                item.append(who, message.text)
                find('said').append(item)
                item.scrollIntoView()
              }

              function ask() {
                name = null
                input.placeholder = 'your name'
                form.querySelector('button').textContent = 'enter'
              }

              function enter(given) {
                name = given
                input.placeholder = 'say something'
                form.querySelector('button').textContent = 'say'
                connect()
              }

              form.onsubmit = event => {
                event.preventDefault()
                const text = input.value.trim()
                if (!text) return
                if (name === null) enter(text)
                else if (socket.readyState === WebSocket.OPEN) socket.send(text)
                else return
                form.reset()
              }
              if (name !== null) enter(name)
            </script>
            """;

    private ChatPage() {
    }

    static byte[] bytes() {
        return TEXT.getBytes(StandardCharsets.UTF_8);
    }
}
