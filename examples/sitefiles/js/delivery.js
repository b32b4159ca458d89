// Shows what the browser has measured of the page and of what it loaded for it.

function cell(text) {
  const cell = document.createElement("td");
  cell.textContent = text;
  return cell;
}

function saved(entry) {
  if (entry.encodedBodySize === 0 || entry.encodedBodySize >= entry.decodedBodySize) {
    return "–";
  }
  return Math.round(100 * (1 - entry.encodedBodySize / entry.decodedBodySize)) + " %";
}

function row(entry) {
  const row = document.createElement("tr");
  row.append(
    cell(new URL(entry.name).pathname),
    cell(entry.nextHopProtocol || "–"),
    cell(entry.transferSize),
    cell(entry.decodedBodySize),
    cell(saved(entry)));
  return row;
}

function show() {
  const entries = ["navigation", "resource"].flatMap(type => performance.getEntriesByType(type));
  document.getElementById("files").replaceChildren(...entries.map(row));
}

if (document.readyState === "complete") {
  show();
} else {
  // what is measured of the page itself is whole only after this event
  addEventListener("load", () => setTimeout(show));
}
