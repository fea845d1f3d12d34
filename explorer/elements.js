// Elements of the page, without markup in strings.

export function element(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

export function drawing(name, attributes = {}, ...children) {
  return furnish(
    document.createElementNS("http://www.w3.org/2000/svg", name),
    attributes,
    children,
  );
}

function furnish(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...children);
}

// As short as the digits of an f32 let it be.
export function number(value) {
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "∞").replace("-", "−");
  return String(Number(value.toPrecision(4))).replace("-", "−");
}
