"use strict";
(() => {
  const one = (id) => document.getElementById(id);
  const root = document.documentElement;
  const tools = [...document.querySelectorAll(".tool")];

  // Light and dark: what the system says, until the button is pressed.
  one("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (dark ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  // Search and filters.
  const search = one("search");
  const boxes = [...document.querySelectorAll('input[name="status"]')];
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const group = one("group").value;
    const method = one("method").value;
    const status = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const tool of tools) {
      const { words: text, ...data } = tool.dataset;
      tool.hidden = !(
        status.has(data.status) &&
        (!group || data.group === group) &&
        (!method || data.method === method) &&
        words.every((word) => text.includes(word))
      );
      shown += tool.hidden ? 0 : 1;
    }
    one("shown").textContent = `${shown} of ${tools.length} tools`;
    one("none").hidden = shown > 0;
  }
  function reset() {
    search.value = one("group").value = one("method").value = "";
    for (const box of boxes) box.checked = true;
    filter();
  }
  one("filters").addEventListener("input", filter);
  one("filters").addEventListener("submit", (event) => event.preventDefault());
  one("reset").addEventListener("click", reset);
  one("unfold").addEventListener("click", (event) => {
    const open = event.target.textContent === "Open all";
    for (const tool of tools) if (!tool.hidden) tool.open = open;
    event.target.textContent = open ? "Close all" : "Open all";
  });

  // A link to a tool opens it, whatever the filters hide.
  function follow() {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const tool = one(id);
    if (!tool || !tool.classList.contains("tool")) return;
    if (tool.hidden) reset();
    tool.open = true;
    tool.scrollIntoView();
    tool.querySelector("summary").focus({ preventScroll: true });
  }
  addEventListener("hashchange", follow);
  follow();

  // Keys: "/" searches, Escape leaves, arrows go from tool to tool.
  addEventListener("keydown", (event) => {
    const at = document.activeElement;
    const typing = at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape") {
      if (at === search) { search.value = ""; filter(); search.blur(); }
      choose(null);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const open = tools.filter((tool) => !tool.hidden).map((tool) => tool.firstElementChild);
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = at === search && step > 0 ? open[0] : open[open.indexOf(at) + step];
      if (next && (at === search || open.includes(at))) {
        event.preventDefault();
        next.focus();
      }
    }
  });

  // The graph: choose, move, zoom.
  const picture = one("picture");
  const nodes = picture ? [...picture.querySelectorAll(".node")] : [];
  const lines = picture ? [...picture.querySelectorAll(".line")] : [];
  const element = (name, text, href) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (href) made.href = href;
    return made;
  };
  function choose(name) {
    if (!picture) return;
    picture.classList.toggle("choosing", name !== null);
    const near = new Set();
    for (const line of lines) {
      const touches = name === line.dataset.source || name === line.dataset.target;
      line.classList.toggle("near", touches);
      if (touches) near.add(line.dataset.source).add(line.dataset.target);
    }
    for (const node of nodes) {
      const own = node.dataset.name === name;
      node.classList.toggle("chosen", own);
      node.classList.toggle("near", near.has(node.dataset.name));
      node.setAttribute("aria-pressed", String(own));
    }
    const about = one("chosen");
    about.replaceChildren();
    if (name === null) return;
    about.append(element("a", name, `#tool-${encodeURIComponent(name)}`));
    const list = document.createElement("ul");
    const touching = lines.filter((line) => line.matches(".near:not(.away)"));
    for (const line of touching) {
      const { source, target, label } = line.dataset;
      const words = source === name ? `feeds ${target}` : `is fed by ${source}`;
      const open = line.classList.contains("open") ? " (not proved)" : "";
      list.append(element("li", `${words}: ${label}${open}`));
    }
    about.append(list);
  }
  if (!picture) return;
  const { dataset } = picture;
  let whole = { width: +dataset.width, height: +dataset.height };
  let view = { x: 0, y: 0, ...whole };
  const show = () =>
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const width = Math.min(Math.max(view.width * factor, 120), whole.width * 4);
    const scale = width / view.width;
    view = {
      x: x - (x - view.x) * scale, y: y - (y - view.y) * scale,
      width, height: view.height * scale,
    };
    show();
  }
  const unit = () => Math.max(
    view.width / picture.clientWidth, view.height / picture.clientHeight,
  );
  one("closer").addEventListener("click", () => zoom(0.7));
  one("farther").addEventListener("click", () => zoom(1 / 0.7));
  // As large as it fits, but never so small that names can't be read: then its left part.
  function fit() {
    const canvas = picture.parentElement;
    const wide = picture.clientWidth || 1;
    const most = Math.min(544, innerHeight * 0.75);
    const scale = Math.min(Math.max(whole.width / wide, whole.height / most, 0.8), 1.5);
    const high = Math.min(most, Math.max(150, whole.height / scale));
    canvas.style.height = `${high}px`;
    const [width, height] = [wide * scale, high * scale];
    view = {
      x: Math.max(0, whole.width - width) ? 0 : (whole.width - width) / 2,
      y: (whole.height - height) / 2, width, height,
    };
    show();
  }
  one("fit").addEventListener("click", fit);
  addEventListener("resize", fit);
  // What is proved has a layout of its own, in which it is not lost among the rest.
  for (const line of lines) line.dataset.all = line.getAttribute("d");
  for (const node of nodes) node.dataset.all = node.getAttribute("transform");
  function lay(proved) {
    for (const [parts, attribute] of [[lines, "d"], [nodes, "transform"]]) {
      for (const part of parts) {
        const place = proved ? part.dataset.proved : part.dataset.all;
        part.classList.toggle("away", !place);
        if (place) part.setAttribute(attribute, place);
      }
    }
    whole = proved
      ? { width: +dataset.provedWidth, height: +dataset.provedHeight }
      : { width: +dataset.width, height: +dataset.height };
    choose(null);
    fit();
  }
  const onlyProved = one("proved");
  if (onlyProved) {
    onlyProved.addEventListener("change", () => lay(onlyProved.checked));
    lay(onlyProved.checked);
  } else {
    fit();
  }
  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(picture.getScreenCTM().inverse());
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, point.x, point.y);
  }, { passive: false });
  let from = null;
  let moved = false;
  picture.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, y: event.clientY };
    moved = false;
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    picture.classList.add("moving");
    view.x -= dx * unit();
    view.y -= dy * unit();
    from = { x: event.clientX, y: event.clientY };
    show();
  });
  addEventListener("pointerup", () => { from = null; picture.classList.remove("moving"); });
  picture.addEventListener("click", (event) => {
    if (moved) return;
    const node = event.target.closest(".node");
    const again = node && node.classList.contains("chosen");
    choose(node && !again ? node.dataset.name : null);
  });
  picture.addEventListener("keydown", (event) => {
    const node = event.target.closest(".node");
    if (node && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(node.classList.contains("chosen") ? null : node.dataset.name);
    }
  });
})();
