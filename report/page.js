"use strict";
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const original = [...body.rows];
  const value = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent.trim();
  const compare = (a, b) => {
    if (a === "?" || b === "?") return (a === "?") - (b === "?");
    return a !== "" && b !== "" && !isNaN(a) && !isNaN(b) ? a - b : a.localeCompare(b);
  };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] ?? "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next !== "none") head.setAttribute("aria-sort", next);
      const rows = [...original];
      if (next !== "none") rows.sort((a, b) => {
        const x = value(a, i), y = value(b, i), missing = x === "?" || y === "?";
        return compare(x, y) * (next === "descending" && !missing ? -1 : 1);
      });
      body.append(...rows);
    });
  });
}
