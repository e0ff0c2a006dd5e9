// Search, sort and unfold the table of links. A text of the data reaches the page as text alone (textContent),
// and so does what the address of the page says: it fills the field of the search.
"use strict";
(() => {
  const SOME = 100; // rows of the table, or places of a target, that are shown until more are asked for
  const LINK = /^(?:https?|ftp|mailto):/i;
  const byId = (name) => document.getElementById(name);
  const grouped = new Intl.NumberFormat("en").format;
  const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

  // --- the data: see reads.py. A word is searched in the "words" of places, their targets and messages. --

  const data = JSON.parse(byId("data").textContent);
  const folded = (text) => text.normalize("NFC").toLowerCase();
  const wordsOf = (...texts) => folded(texts.join("\n"));
  const messages = data.messages.map(([date, sender, subject, file]) =>
    ({ date, sender, subject, file, words: wordsOf(sender, subject) }));
  const targets = data.targets.map(([[url, host, isLink, warning], domain, rows], number) => {
    const target = { number, url, host, isLink, warning, domain, words: wordsOf(url, warning) };
    target.hostName = folded(url.slice(...host));
    target.places = rows.map(([message, text, context, written, lie, broken, cut]) => ({
      target, message: messages[message], text, context, written, lie, broken, cut,
      words: wordsOf(text, context.replace("[URL]", () => written || url), written, lie, broken),
    }));
    return target;
  });
  const placeCount = targets.reduce((sum, target) => sum + target.places.length, 0);
  const domains = new Set(targets.map((target) => target.domain));

  // --- the search: a text of words and operators becomes tests of places -----------------------------

  const having = (items, test) => new Set(items.filter(test));

  function wordTest(word) {
    const has = (item) => item.words.includes(word);
    const [inMessages, inTargets] = [having(messages, has), having(targets, has)];
    return (place) => inTargets.has(place.target) || inMessages.has(place.message) || has(place);
  }

  const DAY = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
  const dateTest = (value, test) => (DAY.test(value) ? ({ message: { date } }) => date && test(date) : null);
  const KINDS = {
    deceptive: (place) => place.lie,
    mended: (place) => place.broken,
    undated: (place) => !place.message.date,
  };

  // Each returns a test, or null for a value that it does not know.
  const operators = {
    from: (value) => ((found) => (place) => found.has(place.message))(
      having(messages, (message) => folded(message.sender).includes(value))),
    // The whole name of a domain means this one, anything else all domains and hosts that contain it.
    domain: (value) => (domains.has(value) ? ({ target }) => target.domain === value
      : ({ target }) => target.domain.includes(value) || target.hostName.includes(value)),
    after: (value) => dateTest(value, (date) => date >= value),
    before: (value) => dateTest(value, (date) => date < value),
    month: (value) => dateTest(value, (date) => date.startsWith(value)),
    is: (value) => (Object.hasOwn(KINDS, value) ? KINDS[value] : null),
  };
  const TERM = /(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/g;

  // The terms of a search: the operator, "" for a word, and its value.
  function termsOf(search) {
    const terms = [];
    for (const [whole, name = "", phrase, word] of folded(search).matchAll(TERM)) {
      const value = (phrase ?? word).replace(/\s+/g, " ").trim();
      if (Object.hasOwn(operators, name)) terms.push([name, value]);
      else if (whole.endsWith(":") && Object.hasOwn(operators, whole.slice(0, -1))) continue; // it is being typed
      else if (value) terms.push(["", name ? whole : value]);
    }
    return terms;
  }

  let shown = []; // the targets that have links which were found
  let total = 0; // these links
  let unknown = [];

  function filter(search) {
    const tests = [];
    unknown = [];
    for (const [name, value] of termsOf(search)) {
      const test = name ? operators[name](value) : wordTest(value);
      if (test) tests.push(test);
      else unknown.push(`${name}:${value}`);
    }
    total = 0;
    for (const target of targets) {
      target.found = unknown.length ? [] : target.places.filter((place) => tests.every((test) => test(place)));
      total += target.found.length;
    }
    shown = targets.filter((target) => target.found.length);
  }

  // --- the order: what has no date comes last either way ------------------------------------------------

  const dateOf = (place) => place?.message.date ?? "";
  const columns = {
    url: (target) => target.number, // they are sorted so
    links: (target) => target.found.length,
    first: (target) => dateOf(target.found.findLast(dateOf)), // the latest is the first of them
    last: (target) => dateOf(target.found[0]),
  };
  let sorting = { column: "last", isDescending: true };

  function sort() {
    const key = columns[sorting.column];
    const turn = sorting.isDescending ? -1 : 1;
    for (const target of shown) target.key = key(target);
    shown.sort(({ key: one }, { key: other }) =>
      (one === "") - (other === "") || turn * ((one > other) - (one < other)));
  }

  // --- the rows of the page -----------------------------------------------------------------------

  const copyOf = (name) => byId(name).content.firstElementChild.cloneNode(true);

  // Put each text into the element of its class, and remove that if there is none.
  function fill(element, textOf) {
    for (const [name, text] of Object.entries(textOf)) {
      const part = element.querySelector(`.${name}`);
      if (text) part.textContent = text;
      else part.remove();
    }
    return element;
  }

  const wordsAround = ({ text, context, message: { subject, sender } }) => ({ text, subject, sender, context });

  const notesOf = ({ lie, cut }) => ({ lie, cut: cut && "May be cut" });

  // Show some of the items, and the others when the button is clicked.
  function list(parent, items, make, button) {
    let count = 0;
    const add = () => {
      const added = items.slice(count, count + SOME).map(make);
      count += added.length;
      parent.append(...added);
      button.textContent = `Show more: ${grouped(items.length - count)} left`;
      button.hidden = count === items.length;
      return added[0];
    };
    button.onclick = () => {
      const first = add();
      first.tabIndex = -1;
      first.focus(); // the button may be gone
    };
    parent.replaceChildren();
    add();
  }

  function rowOf(target) {
    const { url, host: [from, to], warning, found } = target;
    const row = fill(copyOf("row"), { warning, ...notesOf(found[0]), ...wordsAround(found[0]) });
    const parts = { before: url.slice(0, from), host: url.slice(from, to), after: url.slice(to) };
    const address = fill(row.querySelector(".address"), parts);
    if (target.isLink && LINK.test(url)) address.href = url;
    else {
      const span = document.createElement("span");
      span.className = address.className;
      span.append(...address.children);
      address.replaceWith(span);
    }
    for (const name of ["first", "last"]) {
      row.querySelector(`.${name}`).textContent = columns[name](target).slice(0, 10) || "no date";
    }
    const unfold = row.querySelector(".unfold");
    unfold.textContent = grouped(found.length);
    unfold.setAttribute("aria-label", `Show ${counted(found.length, "link")} to this target`);
    unfold.addEventListener("click", () => {
      const isOpen = unfold.getAttribute("aria-expanded") === "true";
      unfold.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) row.nextElementSibling.remove();
      else row.after(unfolded(found));
    });
    return row;
  }

  function unfolded(found) {
    const row = copyOf("unfolded");
    list(row.querySelector("ol"), found, itemOf, row.querySelector(".more"));
    return row;
  }

  const itemOf = (place) => fill(copyOf("place"), {
    ...wordsAround(place),
    date: place.message.date || "no date",
    written: place.written && `As written: ${place.written}`,
    ...notesOf(place),
    broken: place.broken && `Mended: ${place.broken}`,
    file: place.message.file,
  });

  // --- the whole table ----------------------------------------------------------------------------

  const words = byId("words");
  const headers = [...document.querySelectorAll("th[data-column]")];

  function show() {
    sort();
    list(document.querySelector("tbody"), shown, rowOf, byId("more"));
    const all = total === placeCount ? "" : `, of ${grouped(placeCount)} to ${grouped(targets.length)}`;
    const trouble = unknown.map((term) => ` Not understood: ${term}.`).join("");
    byId("status").textContent = `${counted(total, "link")} to ${counted(shown.length, "target")}${all}.${trouble}`;
    for (const header of headers) {
      if (header.dataset.column !== sorting.column) header.removeAttribute("aria-sort");
      else header.setAttribute("aria-sort", sorting.isDescending ? "descending" : "ascending");
    }
    clearTimeout(show.timer); // browsers refuse an address for each letter that is typed
    show.timer = setTimeout(() => {
      if (addressOf() !== (location.hash || "#")) history.replaceState(null, "", addressOf());
    }, 300);
  }

  function search() {
    filter(words.value);
    show();
  }

  function addressOf() {
    const sorted = `${sorting.isDescending ? "-" : ""}${sorting.column}`;
    const state = { ...(words.value && { q: words.value }), ...(sorted !== "-last" && { sort: sorted }) };
    return `#${new URLSearchParams(state)}`;
  }

  // Search and sort as an address says: those of the figures and the bars, and the one that was kept.
  function read(address) {
    const state = new URLSearchParams(address.slice(1));
    const sorted = state.get("sort") ?? "-last";
    const column = sorted.replace("-", "");
    if (Object.hasOwn(columns, column)) sorting = { column, isDescending: sorted.startsWith("-") };
    words.value = (state.get("q") ?? "").slice(0, words.maxLength);
    search();
  }

  function goToLinks() {
    byId("links").focus({ preventScroll: true });
    byId("links").scrollIntoView();
  }

  // --- controls ---------------------------------------------------------------------------------

  for (const header of headers) {
    header.firstElementChild.addEventListener("click", () => {
      const { column } = header.dataset;
      sorting = { column, isDescending: sorting.column === column ? !sorting.isDescending : column !== "url" };
      show();
    });
  }
  words.addEventListener("input", search);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(search)); // when the field is empty
  addEventListener("hashchange", () => {
    if (!location.hash || location.hash.includes("=")) read(location.hash); // not a section
  });
  for (const link of document.querySelectorAll('a[href^="#q="]')) {
    link.addEventListener("click", goToLinks);
  }

  // One bar of the picture can be reached by Tab, and the arrow keys go to the others.
  document.querySelector(".chart")?.addEventListener("keydown", (event) => {
    const bars = [...event.currentTarget.querySelectorAll("a")];
    const at = bars.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (!bars[to]) return;
    event.preventDefault();
    bars[at].setAttribute("tabindex", "-1");
    bars[to].setAttribute("tabindex", "0");
    bars[to].focus();
  });

  // --- CSV -----------------------------------------------------------------------------------------

  // A text of which no spreadsheet makes a formula: see output/table.py. A separator may begin a cell, too.
  function cell(text) {
    let safe = "";
    let isStart = true;
    for (const char of text) {
      if (isStart && "=+-@\uff1d\uff0b\uff0d\uff20".includes(char)) safe += "'";
      isStart = ";|\t\r\n".includes(char) || (isStart && /[\s"\x00-\x1f\x7f\u200b\ufeff]/.test(char));
      safe += char;
    }
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function csv() {
    const rows = shown.flatMap(({ url, domain, warning, found }) => found.map((place) => [
      place.message.date, place.written || url, url, domain, place.text, place.context, place.message.sender,
      place.message.subject, place.message.file, [place.lie, warning, place.broken, place.cut && "May be cut"].filter(Boolean).join("; "),
    ].map(cell).join(",")));
    return ["date,url,target,domain,text,context,from,subject,file,notes", ...rows, ""].join("\r\n");
  }

  byId("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    link.download = "links.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });

  // --- the start -------------------------------------------------------------------------------------

  for (const hidden of document.querySelectorAll(".script")) hidden.hidden = false;
  read(location.hash.includes("=") ? location.hash : "");
  if (location.hash.includes("=")) goToLinks();
})();
