// Fills the list of the start page from data/lights.json.

const response = await fetch("data/lights.json");
const lights = await response.json();

function card(light) {
  const item = document.createElement("li");
  const lamp = document.createElement("span");
  lamp.className = "lamp";
  lamp.style.setProperty("--period", light.periodSeconds + "s");
  const name = document.createElement("h3");
  name.textContent = light.name;
  const text = document.createElement("p");
  text.textContent = light.text;
  const rhythm = document.createElement("p");
  rhythm.textContent = `${light.heightMetres} m high, every ${light.periodSeconds} s, lit since ${light.since}`;
  item.append(lamp, name, text, rhythm);
  return item;
}

document.getElementById("lights").replaceChildren(...lights.map(card));
