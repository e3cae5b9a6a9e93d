// Sorting, filtering and copying of the table of features. The first rows are in the page already; this script draws
// them again from the data, a step of rows at a time, so that a page of many thousand features opens at once.
"use strict";

(() => {
  const STEP = 200;
  const collator = new Intl.Collator(undefined, { numeric: true }); // ten times as fast as localeCompare
  const data = JSON.parse(document.getElementById("data").textContent);
  const columns = data.columns;
  const names = columns.find((column) => column.title === data.noun).values;
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const more = document.getElementById("more");

  let sortedBy = 0;
  let descending = false;
  let shown = STEP;
  let rows = names.map((_, row) => row);

  const compare = (column) => (a, b) => {
    const first = column.values[a];
    const second = column.values[b];
    const isEmpty = (value) => value === null || value === "";
    // Empty cells come last, in both directions.
    if (isEmpty(first) !== isEmpty(second)) {
      return isEmpty(first) === descending ? -1 : 1;
    }
    if (column.kind !== "text" || isEmpty(first)) {
      return first - second || a - b;
    }
    return collator.compare(first, second) || a - b;
  };

  const chooseRows = () => {
    const wanted = filter.value.trim().toLowerCase();
    rows = names.map((_, row) => row);
    if (wanted) {
      rows = rows.filter((row) => names[row].toLowerCase().includes(wanted));
    }
    rows.sort(compare(columns[sortedBy]));
    if (descending) {
      rows.reverse();
    }
  };

  const cell = (column, row) => {
    const made = document.createElement("td");
    made.className = column.kind;
    const value = column.values[row];
    if (column.kind === "score") {
      const bar = document.createElement("span");
      bar.className = value < 0 ? "bar negative" : "bar";
      bar.style.width = `${(100 * Math.abs(value)) / data.largest}%`;
      const text = document.createElement("span");
      text.textContent = value;
      made.append(bar, text);
    } else {
      made.textContent = value;
    }
    return made;
  };

  // A spreadsheet would run a name that begins like a formula.
  const plain = (value) => (value === null ? "" : /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value);

  const draw = () => {
    const lines = rows.slice(0, shown).map((row) => {
      const line = document.createElement("tr");
      line.className = data.discovered[row] ? "discovered" : "";
      line.append(...columns.map((column) => cell(column, row)));
      return line;
    });
    body.replaceChildren(...lines);
    more.hidden = rows.length <= shown;
    count.textContent = `${lines.length.toLocaleString()} of ${rows.length.toLocaleString()} ${data.noun}s shown`;
    headers.forEach((header, index) => {
      const order = index === sortedBy ? (descending ? "descending" : "ascending") : "none";
      header.setAttribute("aria-sort", order);
      const arrow = order === "none" ? "" : descending ? "\u00a0\u25be" : "\u00a0\u25b4";
      header.firstElementChild.textContent = columns[index].title + arrow;
    });
  };

  const update = () => {
    shown = STEP;
    chooseRows();
    draw();
  };

  headers.forEach((header, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      // A first click shows what is best: the largest scores, the smallest of all others.
      descending = index === sortedBy ? !descending : columns[index].kind === "score";
      sortedBy = index;
      update();
    });
    header.replaceChildren(button);
  });

  filter.addEventListener("input", update);

  more.addEventListener("click", () => {
    shown += STEP;
    draw();
  });

  document.getElementById("copy").addEventListener("click", async () => {
    const lines = [columns.map((column) => column.title), ...rows.map((row) => columns.map((c) => plain(c.values[row])))];
    const text = lines.map((line) => line.join("\t")).join("\n");
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      // A page from a mail has no clipboard of its own: the old command copies from a text field.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    count.textContent = `${rows.length.toLocaleString()} ${data.noun}s copied`;
  });

  document.querySelector(".tools").hidden = false;
  update();
})();
