// Search, sort and filter the table of links. A text of the data reaches the page as text alone (textContent).
"use strict";
(() => {
  const WINDOW = 100; // rows in the page at a time
  const LINK = /^(?:https?|ftp|mailto):/i;
  const byId = (name) => document.getElementById(name);
  const data = JSON.parse(byId("data").textContent);
  const { messages, urls, links } = data;
  const count = links.url.length;
  const lowered = (texts) => texts.map((text) => text.toLowerCase());
  const searched = {
    senders: lowered(data.senders),
    subjects: lowered(data.subjects),
    texts: lowered(data.texts),
    contexts: lowered(data.contexts),
    notes: lowered(data.notes),
    urls: lowered(urls.text),
  };

  // Loops, because `from` of a typed array takes several times as long.
  function filled(array, value) {
    for (let at = 0; at < array.length; at++) array[at] = value(at);
    return array;
  }

  // --- what is shown: the rows in the order of a column, those that pass the filters, a window of them ---

  // Of each column, the rank of a row, and the text that it has there: the lists of the data are sorted.
  const columns = {
    date: [(row) => links.message[row], (row) => messages.date[links.message[row]]],
    sender: [(row) => messages.sender[links.message[row]], (row) => data.senders[messages.sender[links.message[row]]]],
    subject: [(row) => messages.subject[links.message[row]], (row) => data.subjects[messages.subject[links.message[row]]]],
    text: [(row) => links.text[row], (row) => data.texts[links.text[row]]],
    url: [(row) => links.url[row], (row) => data.domains[urls.domain[links.url[row]]]],
  };
  let sorting = { column: "date", ascending: false };
  let order = filled(new Uint32Array(count), (row) => row); // as in the data: the latest first
  let shown = order;
  let first = 0;

  function sort(column) {
    const ascending = sorting.column === column ? !sorting.ascending : column !== "date";
    sorting = { column, ascending };
    const [rank, text] = columns[column];
    const sign = ascending ? 1 : -1;
    const key = filled(new Float64Array(count), (row) => (text(row) ? rank(row) : sign * Infinity)); // the empty last
    order = order.slice().sort((one, other) => sign * (key[one] - key[other]) || one - other);
  }

  // A test whether a row has the word. Each text is searched once, in the order in which it is in memory, which
  // is several times as fast as in that of the rows; those around links, which are most, only if a row asks.
  function wordTest(word) {
    const having = (texts) => filled(new Uint8Array(texts.length), (at) => texts[at].includes(word));
    const inNotes = having(searched.notes);
    const inTexts = having(searched.texts);
    const inSenders = having(searched.senders);
    const inSubjects = having(searched.subjects);
    const inUrls = having(searched.urls);
    const inContexts = new Uint8Array(searched.contexts.length); // 0: not searched, 1: without the word, 2: with it
    return (row) => {
      const url = links.url[row];
      const message = links.message[row];
      if (inUrls[url] || inTexts[links.text[row]] || inSubjects[messages.subject[message]]) return true;
      if (inSenders[messages.sender[message]] || inNotes[links.lie[row]]) return true;
      if (inNotes[urls.target[url]] || inNotes[urls.warning[url]]) return true;
      const at = links.context[row];
      return (inContexts[at] ||= searched.contexts[at].includes(word) ? 2 : 1) === 2;
    };
  }

  let wordTests = new Map(); // those of the last words: while one is typed, the others need no search

  // The name of a domain means that domain; anything else, all domains that contain it.
  function domainTest(name) {
    const exact = data.domains.indexOf(name);
    const wanted = data.domains.map((domain, at) => (exact < 0 ? domain.includes(name) : at === exact));
    return (row) => wanted[urls.domain[links.url[row]]];
  }

  function monthTest(month) {
    const wanted = messages.date.map((date) => (month === "-" ? date === "" : date.startsWith(month)));
    return (row) => wanted[links.message[row]];
  }

  const kindTests = {
    lie: (row) => links.lie[row] !== 0, // the empty note comes first
    warning: (row) => urls.warning[links.url[row]] !== 0,
    mended: (row) => links.isMended[row] === 1,
  };

  const fields = { words: byId("words"), domain: byId("domain"), month: byId("month"), kind: byId("kind") };

  function filter() {
    const words = fields.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    wordTests = new Map(words.map((word) => [word, wordTests.get(word) ?? wordTest(word)]));
    const domain = fields.domain.value.trim().toLowerCase();
    const tests = [
      ...(fields.kind.value ? [kindTests[fields.kind.value]] : []),
      ...(fields.month.value ? [monthTest(fields.month.value)] : []),
      ...(domain ? [domainTest(domain)] : []),
      ...wordTests.values(),
    ];
    shown = order;
    for (const test of tests) shown = shown.filter(test);
    first = 0;
  }

  // --- the rows of the page ---

  const body = document.querySelector("table.links tbody");
  const blank = byId("row").content.querySelector("tr");

  function fill(element, selector, text) {
    const slot = element.querySelector(selector);
    if (text) slot.textContent = text;
    else slot.remove();
  }

  function fillNote(element, selector, text) {
    const note = element.querySelector(selector);
    if (text) note.querySelector(".said").textContent = text;
    else note.remove();
  }

  function fillAddress(link, url) {
    const text = urls.text[url];
    const [start, end] = [urls.start[url], urls.end[url]];
    link.querySelector(".before").textContent = text.slice(0, start);
    link.querySelector(".host").textContent = text.slice(start, end);
    link.querySelector(".after").textContent = text.slice(end);
    if (urls.isLink[url] && LINK.test(text)) {
      link.href = text;
      return;
    }
    const address = document.createElement("span");
    address.className = link.className;
    address.append(...link.children);
    link.replaceWith(address);
  }

  function rowOf(row) {
    const element = blank.cloneNode(true);
    const [message, url] = [links.message[row], links.url[row]];
    element.querySelector(".date").textContent = messages.date[message];
    element.querySelector(".sender").textContent = data.senders[messages.sender[message]];
    element.querySelector(".subject").textContent = data.subjects[messages.subject[message]];
    fill(element, ".text", data.texts[links.text[row]]);
    fill(element, ".context", data.contexts[links.context[row]]);
    fillAddress(element.querySelector(".address"), url);
    fillNote(element, ".lie", data.notes[links.lie[row]]);
    fillNote(element, ".warning", data.notes[urls.warning[url]]);
    fillNote(element, ".target", data.notes[urls.target[url]]);
    if (!links.isMended[row]) element.querySelector(".mended").remove();
    return element;
  }

  const grouped = new Intl.NumberFormat("en").format;
  const status = byId("status");
  const headers = [...document.querySelectorAll("th[data-column]")];

  function show() {
    const end = Math.min(first + WINDOW, shown.length);
    body.replaceChildren(...Array.from(shown.subarray(first, end), rowOf));
    const all = `${grouped(count)} ${count === 1 ? "link" : "links"}`;
    const found = shown.length === count ? all :
      `${grouped(shown.length)} of ${all} ${shown.length === 1 ? "matches" : "match"}`;
    const range = shown.length > WINDOW ? `, shown are ${grouped(first + 1)} to ${grouped(end)}` : "";
    status.textContent = `${found}${range}.`;
    for (const header of headers) {
      const isSorted = header.dataset.column === sorting.column;
      if (isSorted) header.setAttribute("aria-sort", sorting.ascending ? "ascending" : "descending");
      else header.removeAttribute("aria-sort");
    }
    for (const button of document.querySelectorAll(".pages button")) {
      // Not "disabled": the focus would be lost.
      button.setAttribute("aria-disabled", String(pageStart(button.dataset.page) === first));
    }
    for (const pages of document.querySelectorAll(".pages")) pages.hidden = shown.length <= WINDOW;
  }

  // --- controls ---

  function pageStart(page) {
    const last = Math.max(0, Math.ceil(shown.length / WINDOW) - 1) * WINDOW;
    return { first: 0, previous: Math.max(0, first - WINDOW), next: Math.min(last, first + WINDOW), last }[page];
  }

  function button(text, act) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    element.addEventListener("click", act);
    return element;
  }

  function update() {
    filter();
    show();
  }

  function addPages(pages, isBelow) {
    for (const [page, text] of [["first", "First"], ["previous", "Previous"], ["next", "Next"], ["last", "Last"]]) {
      const element = button(`${text} rows`, () => {
        first = pageStart(page);
        show();
        if (isBelow) byId("status").scrollIntoView();
      });
      element.dataset.page = page;
      pages.append(element);
    }
    pages.setAttribute("role", "group");
    pages.setAttribute("aria-label", isBelow ? "Rows of the table, below it" : "Rows of the table");
  }

  function addMonths() {
    const months = new Set(messages.date.map((date) => date.slice(0, 7)));
    let year = "";
    for (const month of [...months].sort().reverse()) {
      if (month && month.slice(0, 4) !== year) {
        year = month.slice(0, 4);
        fields.month.append(new Option(`all of ${year}`, `${year}-`));
      }
      fields.month.append(month ? new Option(month, month) : new Option("without a date", "-"));
    }
  }

  function choose(field, value) {
    byId("filters").reset();
    fields[field].value = value;
    update();
    byId("links").scrollIntoView();
    byId("links").focus({ preventScroll: true });
  }

  for (const header of headers) {
    header.replaceChildren(button(header.textContent, () => {
      sort(header.dataset.column);
      update();
    }));
  }
  document.querySelectorAll(".pages").forEach((pages, at) => addPages(pages, at === 1));
  addMonths();
  for (const cell of document.querySelectorAll("[data-filter]")) {
    const { filter: field, value } = cell.dataset;
    cell.replaceChildren(button(cell.textContent, () => choose(field, value)));
  }
  document.querySelector(".chart")?.addEventListener("click", (event) => {
    const { month } = event.target.dataset;
    if (month) choose("month", month);
  });
  for (const field of Object.values(fields)) field.addEventListener("input", update);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(update)); // when the fields are empty
  byId("filters").hidden = false;
  update();
})();
