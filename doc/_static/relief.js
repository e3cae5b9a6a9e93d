// Relief in a picture: points of two classes that can be dragged, the nearest hits and misses of one of them, and the
// scores of both features.  Fills every element of the class "relief-picture"; needs nothing else.  The same file can be
// loaded by node, for the functions that compute.
"use strict";
(function () {
  const SIZE = 100, CLOSE = 1e-9, MOST = 30;
  const SETS = {
    "A predicts the class": "20,30,0 25,70,0 30,45,0 35,85,0 28,15,0 70,25,1 75,60,1 80,40,1 68,80,1 85,12,1",
    "Only A and B together": "10,29,0 24,12,0 29,16,0 15,12,0 73,73,0 84,72,0 86,72,0 80,70,0 12,66,1 13,74,1 13,75,1 19,78,1 86,18,1 79,12,1 87,15,1 77,26,1",
    "Only noise": "15,60,0 30,20,1 45,80,0 60,40,1 75,70,0 85,25,1 25,85,1 50,15,0 65,55,1 35,45,0",
  };

  // ---- arithmetic ------------------------------------------------------------------------------------------------

  // Differences of two rows, feature by feature: numbers over the range of the feature.
  function differences(rows, ranges, i, j) {
    return ranges.map((range, f) => (range > 0 ? Math.abs(rows[i][f] - rows[j][f]) / range : 0));
  }

  function rangesOf(rows) {
    return rows[0].map((_, f) => {
      const column = rows.map((row) => row[f]);
      return Math.max(...column) - Math.min(...column);
    });
  }

  // The k nearest rows of row i in its own class, and in the other one; of equally near rows those that come first.
  function neighbours(rows, classes, k, i) {
    const ranges = rangesOf(rows), found = { hits: [], misses: [] };
    for (let j = 0; j < rows.length; j++) {
      if (j === i) continue;
      const diff = differences(rows, ranges, i, j);
      const item = { row: j, diff, distance: diff.reduce((sum, d) => sum + d, 0) };
      found[classes[j] === classes[i] ? "hits" : "misses"].push(item);
    }
    for (const list of Object.values(found)) {
      list.sort((a, b) => (Math.abs(a.distance - b.distance) > CLOSE ? a.distance - b.distance : a.row - b.row));
      list.length = Math.min(k, list.length);
    }
    return found;
  }

  function mean(items, f) {
    return items.length ? items.reduce((sum, item) => sum + item.diff[f], 0) / items.length : 0;
  }

  // What row i adds to the score of each feature: the mean difference to its misses less that to its hits.
  function share(rows, classes, k, i) {
    const { hits, misses } = neighbours(rows, classes, k, i);
    return rows[0].map((_, f) => mean(misses, f) - mean(hits, f));
  }

  // ReliefF for two classes: the mean difference to misses, over the rows that have any, less that to hits.
  function scores(rows, classes, k) {
    const near = rows.map((_, i) => neighbours(rows, classes, k, i));
    return rows[0].map((_, f) => {
      const part = (kind) => {
        const own = near.map((found) => found[kind]).filter((items) => items.length);
        return own.length ? own.reduce((sum, items) => sum + mean(items, f), 0) / own.length : 0;
      };
      return part("misses") - part("hits");
    });
  }

  const arithmetic = { neighbours, share, scores, SETS, read };
  function read(text) {
    const points = text.split(" ").map((part) => part.split(",").map(Number));
    return { rows: points.map((p) => [p[0], p[1]]), classes: points.map((p) => p[2]) };
  }
  if (typeof module !== "undefined" && module.exports) module.exports = arithmetic;
  if (typeof document === "undefined") return;

  // ---- picture ---------------------------------------------------------------------------------------------------

  const STYLE = `
.relief-picture{--ink:#1a1a1a;--paper:#fff;--line:#8a8a8a;--zero:#0072b2;--one:#b34700;--good:#00664a;--bad:#a00000;
 color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.75rem;margin:1rem 0;max-width:46rem}
@media(prefers-color-scheme:dark){body:not([data-theme=light]) .relief-picture{--ink:#e8e8e8;--paper:#16181c;--line:#777;--zero:#56b4e9;--one:#f0a45d;
 --good:#5fd3ac;--bad:#ff8f8f}}
body[data-theme=dark] .relief-picture{--ink:#e8e8e8;--paper:#16181c;--line:#777;--zero:#56b4e9;--one:#f0a45d;--good:#5fd3ac;--bad:#ff8f8f}
.relief-picture .both{display:flex;flex-wrap:wrap;gap:1rem}
.relief-picture svg{flex:1 1 17rem;max-width:26rem;width:100%;touch-action:pan-y;user-select:none}
.relief-picture .side{flex:1 1 13rem;font-size:.9rem}
.relief-picture .tools{display:flex;flex-wrap:wrap;gap:.5rem;margin-bottom:.5rem;align-items:center}
.relief-picture button,.relief-picture select{font:inherit;font-size:.9rem;padding:.25rem .6rem;color:var(--ink);background:var(--paper);
 border:1px solid var(--line);border-radius:4px;min-height:2.2rem}
.relief-picture .point{cursor:grab;touch-action:none;outline:none}
.relief-picture .point:focus-visible .ring{stroke:var(--ink);stroke-width:.8}
.relief-picture table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin:0}
.relief-picture td,.relief-picture th{padding:.15rem .4rem;text-align:right;border:0;background:none;color:inherit}
.relief-picture th:first-child,.relief-picture td:first-child{text-align:left}
.relief-picture .bar{height:.6rem;background:var(--good);min-width:1px}
.relief-picture .bar.bad{background:var(--bad)}
.relief-picture p{margin:.4rem 0}`;

  function svg(name, attributes, parent) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.appendChild(element);
    return element;
  }

  function html(name, attributes, parent, text) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.appendChild(element);
    return element;
  }

  function signed(value) {
    const text = Math.abs(value).toFixed(3);
    return (value < 0 && text !== "0.000" ? "−" : "") + text;
  }

  class Picture {
    constructor(home) {
      this.home = home;
      this.k = 1;
      this.target = 0;
      home.textContent = "";
      this.build();
      this.choose(Object.keys(SETS)[0]);
    }

    build() {
      const tools = html("div", { class: "tools", role: "toolbar", "aria-label": "Points and neighbours" }, this.home);
      this.sets = html("select", { "aria-label": "Points to begin with" }, tools);
      for (const name of Object.keys(SETS)) html("option", {}, this.sets, name);
      this.sets.addEventListener("change", () => this.choose(this.sets.value));
      const label = html("label", {}, tools, "Neighbours ");
      this.count = html("select", { "aria-label": "Number of nearest hits and misses" }, label);
      for (let k = 1; k <= 5; k++) html("option", {}, this.count, String(k));
      this.count.addEventListener("change", () => { this.k = Number(this.count.value); this.draw(); });
      const button = (text, action) => html("button", { type: "button" }, tools, text).addEventListener("click", action);
      button("Add a point", () => this.add());
      button("Change its class", () => this.turn(this.target));
      button("Remove it", () => this.remove(this.target));
      const both = html("div", { class: "both" }, this.home);
      this.plot = svg("svg", { viewBox: "-8 -4 112 112", role: "group", "aria-label": "Points by features A and B" }, both);
      svg("rect", { x: 0, y: 0, width: SIZE, height: SIZE, fill: "none", stroke: "var(--line)", "stroke-width": 0.4 }, this.plot);
      svg("text", { x: 50, y: 107, "font-size": 5, fill: "var(--ink)", "text-anchor": "middle" }, this.plot).textContent = "A";
      svg("text", { x: -6, y: 52, "font-size": 5, fill: "var(--ink)" }, this.plot).textContent = "B";
      this.lines = svg("g", {}, this.plot);
      this.points = svg("g", {}, this.plot);
      const side = html("div", { class: "side" }, both);
      this.table = html("table", {}, side);
      this.words = html("p", { "aria-live": "polite", class: "words" }, side);
      html("p", {}, side, "Solid lines lead to the nearest hits, dashed ones to the nearest misses of the target, the point in the ring. " +
        "Drag a point, or move it by the arrow keys (Shift: ten steps). Tap it, or press Enter: it is the target. " +
        "C changes its class, Delete removes it.");
    }

    choose(name) {
      const { rows, classes } = read(SETS[name]);
      this.rows = rows;
      this.classes = classes;
      this.target = 0;
      this.sets.value = name;
      this.draw();
    }

    add() {
      if (this.rows.length >= MOST) return;
      this.rows.push([50, 50]);
      this.classes.push(0);
      this.target = this.rows.length - 1;
      this.draw();
      this.focus(this.target);
    }

    turn(i) { this.classes[i] = 1 - this.classes[i]; this.draw(); this.focus(i); }

    remove(i) {
      if (this.rows.length <= 3) return;
      this.rows.splice(i, 1);
      this.classes.splice(i, 1);
      this.target = Math.min(this.target > i ? this.target - 1 : this.target, this.rows.length - 1);
      this.draw();
      this.focus(this.target);
    }

    move(i, a, b) {
      const within = (value) => Math.round(Math.min(SIZE, Math.max(0, value)));
      this.rows[i] = [within(a), within(b)];
      this.draw();
    }

    focus(i) { this.points.children[i].focus(); }

    // Coordinates of features at a place of the screen.
    at(event) {
      const place = this.plot.createSVGPoint();
      place.x = event.clientX;
      place.y = event.clientY;
      const found = place.matrixTransform(this.plot.getScreenCTM().inverse());
      return [found.x, SIZE - found.y];
    }

    draw() {
      while (this.points.children.length > this.rows.length) this.points.lastChild.remove();
      while (this.points.children.length < this.rows.length) this.newPoint(this.points.children.length);
      const near = neighbours(this.rows, this.classes, this.k, this.target);
      this.rows.forEach((row, i) => this.drawPoint(i, row));
      this.lines.textContent = "";
      this.drawLines(near.hits, "hit", "var(--good)", "none");
      this.drawLines(near.misses, "miss", "var(--bad)", "2 1.2");
      this.drawScores(near);
    }

    newPoint(i) {
      const group = svg("g", { class: "point", tabindex: 0, role: "button" }, this.points);
      svg("circle", { r: 6, fill: "transparent", class: "ring" }, group);
      svg("path", { class: "mark" }, group);
      group.addEventListener("pointerdown", (event) => {
        group.setPointerCapture(event.pointerId);
        this.dragged = i;
        this.target = i;
        this.draw();
        group.focus();
        event.preventDefault();
      });
      group.addEventListener("pointermove", (event) => { if (this.dragged === i) this.move(i, ...this.at(event)); });
      for (const name of ["pointerup", "pointercancel"]) group.addEventListener(name, () => { this.dragged = null; });
      group.addEventListener("keydown", (event) => this.key(event, i));
    }

    key(event, i) {
      const step = event.shiftKey ? 10 : 1, [a, b] = this.rows[i];
      const moves = { ArrowLeft: [a - step, b], ArrowRight: [a + step, b], ArrowUp: [a, b + step], ArrowDown: [a, b - step] };
      if (moves[event.key]) this.move(i, ...moves[event.key]);
      else if (event.key === "Enter" || event.key === " ") { this.target = i; this.draw(); }
      else if (event.key.toLowerCase() === "c") this.turn(i);
      else if (event.key === "Delete" || event.key === "Backspace") this.remove(i);
      else return;
      event.preventDefault();
    }

    drawPoint(i, [a, b]) {
      const group = this.points.children[i], one = this.classes[i] === 1, colour = one ? "var(--one)" : "var(--zero)";
      const own = i === this.target;
      group.setAttribute("transform", `translate(${a} ${SIZE - b})`);
      const name = one ? "square" : "circle";
      group.setAttribute("aria-label", `Point ${i + 1}, ${name}, A ${a}, B ${b}${own ? ", the target" : ""}`);
      const mark = group.querySelector(".mark");
      mark.setAttribute("d", one ? "M-2.4-2.4h4.8v4.8h-4.8z" : "M-2.7 0a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0z");
      mark.setAttribute("fill", colour);
      const ring = group.querySelector(".ring");
      ring.setAttribute("r", own ? 5 : 6);
      ring.setAttribute("stroke", own ? colour : "none");
    }

    drawLines(items, kind, colour, dashes) {
      const [a, b] = this.rows[this.target];
      for (const item of items) {
        const [c, d] = this.rows[item.row];
        svg("line", { class: kind, x1: a, y1: SIZE - b, x2: c, y2: SIZE - d, stroke: colour, "stroke-width": 1, "stroke-dasharray": dashes }, this.lines);
      }
    }

    drawScores(near) {
      const all = scores(this.rows, this.classes, this.k), own = share(this.rows, this.classes, this.k, this.target);
      this.table.textContent = "";
      const head = html("tr", {}, this.table);
      for (const text of ["", "to misses", "to hits", "target adds", "score of all"]) html("th", { scope: "col" }, head, text);
      ["A", "B"].forEach((name, f) => {
        const row = html("tr", {}, this.table);
        html("th", { scope: "row" }, row, name);
        for (const value of [mean(near.misses, f), mean(near.hits, f), own[f]]) html("td", {}, row, signed(value));
        html("td", { class: "score", "data-score": all[f] }, row, signed(all[f]));
        const line = html("tr", {}, this.table), cell = html("td", { colspan: 5 }, line);
        const bar = html("div", { class: all[f] < 0 ? "bar bad" : "bar" }, cell);
        bar.style.width = `${Math.min(1, Math.abs(all[f])) * 100}%`;
      });
      const best = all[0] > all[1] ? "A" : all[0] < all[1] ? "B" : "neither";
      const text = this.classes.every((c) => c === this.classes[0]) ? "All points are of one class: there are no misses."
        : `Scores: A ${signed(all[0])}, B ${signed(all[1])}; ${best} is ahead.`;
      if (this.words.textContent !== text) this.words.textContent = text;
    }
  }

  function start() {
    if (!document.getElementById("relief-style")) html("style", { id: "relief-style" }, document.head, STYLE);
    const pictures = [...document.querySelectorAll(".relief-picture")].map((home) => new Picture(home));
    window.ReliefPicture = { ...arithmetic, pictures };
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
