"use strict";
// Filters and orders the rows of all charts and tables. Without it the page shows everything.
(() => {
  const chosen = {};
  const rows = [...document.querySelectorAll(".row")];
  const isChosen = (row) =>
    Object.entries(chosen).every(([field, value]) => !value || row.dataset[field] === value);

  const factor = (value) => value.toFixed(value >= 20 ? 0 : value >= 2 ? 1 : 2) + "×";

  function sayWhatIsShown() {
    const speed = [...document.querySelectorAll("#speed .bars .row")].filter((row) => !row.hidden);
    const values = speed.map((row) => Number(row.dataset.value));
    const output = document.getElementById("shown");
    if (values.length === 0) {
      output.textContent = "no row";
      return;
    }
    const mean = Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
    const least = Math.min(...values);
    output.textContent =
      `${values.length} row${values.length === 1 ? "" : "s"}: ` +
      `geometric mean ${factor(mean)}, worst ${factor(least)}`;
  }

  function show() {
    for (const row of rows) row.hidden = !isChosen(row);
    for (const section of document.querySelectorAll("section")) {
      const inside = [...section.querySelectorAll(".row")];
      const nothing = section.querySelector(".nothing");
      if (nothing) nothing.hidden = inside.length === 0 || inside.some((row) => !row.hidden);
    }
    sayWhatIsShown();
  }

  function order(by) {
    for (const list of document.querySelectorAll(".bars:not(.times)")) {
      const items = [...list.querySelectorAll(".row")];
      const number = new Map(items.map((item) => [item, rows.indexOf(item)]));
      const groups = [...new Set(rows.map((row) => row.dataset.group))];
      items.sort((a, b) => {
        const first = groups.indexOf(a.dataset.group) - groups.indexOf(b.dataset.group);
        return (by === "group" && first) || number.get(a) - number.get(b);
      });
      list.append(...items);
    }
  }

  function press(button) {
    for (const other of button.parentElement.querySelectorAll("button")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
  }

  document.getElementById("filters").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    press(button);
    if (button.dataset.sort) {
      order(button.dataset.sort);
    } else {
      chosen[button.dataset.field] = button.dataset.value;
      show();
    }
  });
  document.getElementById("filters").hidden = false;
  show();
})();
