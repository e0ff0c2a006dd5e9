// Search, sort and unfold the table of links. A text of the data reaches the page as text alone (textContent),
// and so does what the address of the page says: it fills the fields of the form.
"use strict";
(() => {
  const WINDOW = 100; // targets in the page at a time
  const PLACES = 20; // of a target that is unfolded, until more are asked for
  const LINK = /^(?:https?|ftp|mailto):/i;
  const byId = (name) => document.getElementById(name);
  const grouped = new Intl.NumberFormat("en").format;
  const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

  // --- the data: see packing.py -------------------------------------------------------------------

  const { targets, messages, places, texts } = JSON.parse(byId("data").textContent);
  const lowered = texts.map((text) => text.toLowerCase());
  const targetCount = targets.url.length;
  const placeCount = places.message.length;

  // Numbers in typed arrays: a list, or one of which only some values are not 0.
  function unpack(columns, count, names) {
    for (const name of names) {
      const column = columns[name];
      if (Array.isArray(column)) columns[name] = new Uint32Array(column);
      else {
        columns[name] = new Uint32Array(count);
        column.at.forEach((at, number) => { columns[name][at] = column.value[number]; });
      }
    }
  }
  unpack(targets, targetCount, ["url", "warning", "domain"]);
  unpack(messages, messages.date.length, ["doubtful", "sender", "person", "subject", "source", "file", "page", "id"]);
  unpack(places, placeCount,
    ["message", "text", "context", "where", "written", "service", "warning", "lie", "deceit", "mend"]);

  const start = new Uint32Array(targetCount + 1); // the first place of each target
  const targetOf = new Uint32Array(placeCount);
  targets.places.forEach((count, target) => {
    start[target + 1] = start[target] + count;
    targetOf.fill(target, start[target], start[target + 1]);
  });
  // Messages are sorted by their dates: of those of the same minute, all have the same rank, and no date has 0.
  const rank = new Uint32Array(messages.date.length);
  for (let at = 0, last = ""; at < rank.length; at++) {
    rank[at] = (rank[at - 1] ?? 0) + (messages.date[at] === last ? 0 : 1);
    last = messages.date[at];
  }

  // --- the search: a text of words and operators becomes tests of places -----------------------------

  const lookup = (count, test) => {
    const found = new Uint8Array(count);
    for (let at = 0; at < count; at++) if (test(at)) found[at] = 1;
    return found;
  };
  const havingText = (word) => lookup(texts.length, (at) => lowered[at].includes(word));
  const byMessage = (found) => (place) => found[places.message[place]];

  // Each text is searched once, and then only numbers are compared.
  function wordTest(word) {
    const has = havingText(word);
    const { subject, sender, page, id } = messages;
    const inMessage = lookup(rank.length, (at) => has[subject[at]] || has[sender[at]] || has[page[at]] || has[id[at]]);
    const inTarget = lookup(targetCount, (at) => has[targets.url[at]] || has[targets.warning[at]]);
    const { text, context, written, service, lie } = places;
    return (place) => inTarget[targetOf[place]] || inMessage[places.message[place]] || has[text[place]] ||
      has[context[place]] || has[written[place]] || has[service[place]] || has[lie[place]];
  }

  // A whole name means what has this name; anything else, all whose name contains it.
  function nameTest(value, ...columns) {
    const isIn = (number) => columns.some((column) => column.includes(number));
    const isNamed = (text) => text === value || (value.includes("%22") && text.replaceAll('"', "%22") === value);
    const exact = texts.findIndex((text, at) => isNamed(text) && isIn(at));
    return exact >= 0 ? lookup(texts.length, (at) => at === exact) : havingText(value.toLowerCase());
  }

  const dateTest = (value, pattern, test) =>
    pattern.test(value) ? byMessage(lookup(rank.length, (at) => messages.date[at] && test(messages.date[at]))) : null;
  const DAY = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;
  const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const KINDS = {
    deceptive: (place) => places.lie[place],
    mended: (place) => places.mend[place],
    warning: (place) => places.warning[place] || targets.warning[targetOf[place]],
    undated: (place) => rank[places.message[place]] === 0,
  };

  // Each returns a test, or null for a value that it does not know.
  const operators = {
    from: (value) => ((has) => byMessage(lookup(rank.length, (at) => has[messages.sender[at]])))(havingText(value.toLowerCase())),
    subject: (value) => ((has) => byMessage(lookup(rank.length, (at) => has[messages.subject[at]])))(havingText(value.toLowerCase())),
    domain: (value) => ((has) => (place) => has[targets.domain[targetOf[place]]])(nameTest(value, targets.domain)),
    url: (value) => ((has) => (place) => has[targets.url[targetOf[place]]])(nameTest(value, targets.url)),
    source: (value) => ((has) => (place) => has[messages.source[places.message[place]]])(nameTest(value, messages.source)),
    kind: (value) => ((has) => (place) => has[places.deceit[place]] || has[places.mend[place]])(
      nameTest(value, places.deceit, places.mend)),
    after: (value) => dateTest(value, DAY, (date) => date >= value),
    before: (value) => dateTest(value, DAY, (date) => date < value),
    month: (value) => dateTest(value, DAY, (date) => date.startsWith(value)),
    weekday: (value) => dateTest(value.slice(0, 3).toLowerCase(), new RegExp(`^(?:${DAYS.join("|")})$`), (date) =>
      DAYS[new Date(`${date.replace(" ", "T")}Z`).getUTCDay()] === value.slice(0, 3).toLowerCase()),
    hour: (value) => dateTest(value, /^\d\d?$/, (date) => date.slice(11, 13) === value.padStart(2, "0")),
    is: (value) => (Object.hasOwn(KINDS, value) ? KINDS[value] : null),
  };
  const MARKED = ["from", "subject", "domain"]; // operators whose values are marked, as words are
  const TERM = /(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi;

  // The terms of a search: the operator, "" for a word, and its value.
  function termsOf(search) {
    const terms = [];
    for (const [whole, name, phrase, word] of search.matchAll(TERM)) {
      const operator = name?.toLowerCase() ?? "";
      const value = (phrase ?? word).replace(/\s+/g, " ").trim();
      if (Object.hasOwn(operators, operator)) terms.push([operator, value]);
      else if (whole.endsWith(":") && Object.hasOwn(operators, whole.slice(0, -1))) continue; // it is being typed
      else if (operator) terms.push(["", whole.toLowerCase()]);
      else if (value) terms.push(["", value.toLowerCase()]);
    }
    return terms;
  }

  let tests = new Map(); // those of the last search: while a word is typed, the others need no search

  function testsOf(terms) {
    tests = new Map(terms.map(([name, value]) => {
      const key = `${name}:${value}`;
      return [key, tests.has(key) ? tests.get(key) : name ? operators[name](value) : wordTest(value)];
    }));
    return [...tests.values()].filter(Boolean);
  }

  // --- what is shown: targets with the numbers of their places that pass, sorted, a window of them -------

  const passes = new Uint8Array(placeCount);
  const links = new Uint32Array(targetCount); // places that pass, of each target; of these the rest
  const senders = new Uint32Array(targetCount);
  const first = new Uint32Array(targetCount); // messages
  const last = new Uint32Array(targetCount);
  const latest = new Uint32Array(targetCount); // a place
  const seenBy = new Uint32Array(texts.length); // of each sender, the target, counted from 1, for which he counts
  let shown = new Uint32Array(0);
  let total = 0;
  let unknown = [];
  let marks = null;

  function filter(search) {
    const terms = termsOf(search);
    const all = testsOf(terms);
    unknown = [...tests].filter(([, test]) => !test).map(([key]) => key);
    passes.fill(unknown.length ? 0 : 1);
    for (const test of all) for (let place = 0; place < placeCount; place++) if (passes[place] && !test(place)) passes[place] = 0;
    const words = terms.filter(([name]) => !name || MARKED.includes(name)).map(([, value]) => value).filter(Boolean);
    words.sort((one, other) => other.length - one.length); // the longest is marked
    marks = words.length ? new RegExp(words.map((word) => word.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu") : null;
    count();
  }

  function count() {
    const found = [];
    total = 0;
    seenBy.fill(0);
    for (let target = 0; target < targetCount; target++) {
      let number = 0;
      let people = 0;
      first[target] = last[target] = 0;
      for (let place = start[target]; place < start[target + 1]; place++) {
        if (!passes[place]) continue;
        const message = places.message[place];
        if (!number++) {
          latest[target] = place; // places are sorted, the latest first
          last[target] = message;
        }
        if (rank[message]) first[target] = message;
        const person = messages.person[message];
        if (person && seenBy[person] !== target + 1) {
          seenBy[person] = target + 1;
          people++;
        }
      }
      links[target] = number;
      senders[target] = people;
      total += number;
      if (number) found.push(target);
    }
    shown = new Uint32Array(found);
  }

  const columns = {
    url: (target) => (targets.domain[target] ? target + 1 : 0), // targets are sorted so
    places: (target) => links[target],
    senders: (target) => senders[target],
    first: (target) => rank[first[target]],
    last: (target) => rank[last[target]],
  };
  let sorting = { column: "last", isDescending: true };

  // The key and the number of each target are one number: so it is sorted without calls. What has no key is last.
  function sort() {
    const key = columns[sorting.column];
    const most = Math.max(targetCount, placeCount) + 1;
    const keys = new Float64Array(shown.length);
    for (let at = 0; at < keys.length; at++) {
      const value = key(shown[at]) || (sorting.isDescending ? 0 : most);
      keys[at] = (sorting.isDescending ? most - value : value) * targetCount + shown[at];
    }
    keys.sort();
    for (let at = 0; at < keys.length; at++) shown[at] = keys[at] % targetCount;
  }

  // --- the rows of the page -----------------------------------------------------------------------

  const body = document.querySelector("table.links tbody");
  const LONGEST = Number(document.querySelector("table.links").dataset.longest); // characters of a URL in a row
  const copyOf = (name) => byId(name).content.firstElementChild.cloneNode(true);

  // Put a text into an element, from one place in it to another, with the words that were searched marked.
  function put(element, text, from = 0, to = text.length) {
    if (from > to) to = from;
    element.textContent = marks ? "" : text.slice(from, to);
    if (!marks) return;
    let at = from;
    for (const match of text.matchAll(marks)) {
      const [begin, end] = [Math.max(match.index, at), Math.min(match.index + match[0].length, to)];
      if (begin >= end) continue;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(begin, end);
      element.append(text.slice(at, begin), mark);
      at = end;
    }
    element.append(text.slice(at, to));
  }

  // Put a text into the element that has a class, or remove it if there is none.
  function fill(row, name, text) {
    const element = row.querySelector(`.${name}`);
    if (text) put(element.querySelector(".said") ?? element, text);
    else element.remove();
  }

  function fillAddress(link, target) {
    const text = texts[targets.url[target]];
    const [from, to] = targets.host[target];
    put(link.querySelector(".before"), text, 0, from);
    put(link.querySelector(".host"), text, from, to);
    put(link.querySelector(".after"), text, to, LONGEST);
    if (text.length > LONGEST) link.querySelector(".after").append("\u2026");
    if (targets.isLink[target] && LINK.test(text)) {
      link.href = text;
      return;
    }
    const address = document.createElement("span");
    address.className = link.className;
    address.append(...link.children);
    link.replaceWith(address);
  }

  function fillWords(row, place) {
    const message = places.message[place];
    fill(row, "text", texts[places.text[place]]);
    fill(row, "subject", texts[messages.subject[message]]);
    fill(row, "sender", texts[messages.sender[message]]);
    fill(row, "context", texts[places.context[place]]);
  }

  function rowOf(target) {
    const row = copyOf("row");
    const day = (message) => messages.date[message].slice(0, 10) || "no date";
    fillAddress(row.querySelector(".address"), target);
    fill(row, "warning", texts[targets.warning[target]]);
    fillWords(row, latest[target]);
    row.querySelector(".senders").textContent = grouped(senders[target]);
    row.querySelector(".first").textContent = rank[last[target]] ? day(first[target]) : "no date";
    row.querySelector(".last").textContent = day(last[target]);
    const unfold = row.querySelector(".unfold");
    unfold.textContent = grouped(links[target]);
    unfold.setAttribute("aria-label", `Show ${counted(links[target], "link")} to this target`);
    unfold.addEventListener("click", () => {
      const isOpen = unfold.getAttribute("aria-expanded") === "true";
      unfold.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) row.nextElementSibling.remove();
      else row.after(unfolded(target));
    });
    return row;
  }

  function unfolded(target) {
    const row = copyOf("unfolded");
    const url = texts[targets.url[target]];
    fill(row, "whole", url.length > LONGEST ? url : "");
    const more = row.querySelector(".more");
    let next = start[target];
    let left = links[target];
    const add = (most) => {
      const items = [];
      for (; left && items.length < most; next++) {
        if (passes[next]) left -= items.push(itemOf(next)) ? 1 : 0;
      }
      row.querySelector("ol").append(...items);
      more.textContent = left ? `Show more: ${grouped(left)} left` : "";
      more.hidden = !left;
      return items[0];
    };
    more.addEventListener("click", () => {
      const item = add(10 * PLACES);
      item.tabIndex = -1;
      item.focus(); // the button may be gone
    });
    add(PLACES);
    return row;
  }

  function itemOf(place) {
    const item = copyOf("place");
    const message = places.message[place];
    const id = texts[messages.id[message]];
    const service = texts[places.service[place]];
    const number = messages.number[message];
    item.querySelector(".date").textContent = messages.date[message] || (messages.doubtful[message] ? "" : "no date");
    fill(item, "doubtful", texts[messages.doubtful[message]]);
    fillWords(item, place);
    fill(item, "page", texts[messages.page[message]]);
    fill(item, "written", texts[places.written[place]] + (service ? `, through ${service}` : ""));
    fill(item, "lie", texts[places.lie[place]]);
    fill(item, "warning", texts[places.warning[place]]);
    fill(item, "mended", texts[places.mend[place]]);
    item.querySelector(".file").textContent =
      `${texts[messages.file[message]]}${number ? `, message ${number}` : ""} (${texts[places.where[place]]})`;
    fill(item, "message-id", id);
    item.querySelector(".copy")?.addEventListener("click", (event) => copy(id, event.target));
    return item;
  }

  async function copy(text, control) {
    try {
      await navigator.clipboard.writeText(text);
      control.textContent = "Copied";
    } catch { // not allowed: it is selected, to be copied by hand
      getSelection().selectAllChildren(control.parentElement.querySelector(".said"));
      control.textContent = "Selected";
    }
  }

  // --- the whole table ----------------------------------------------------------------------------

  const words = byId("words");
  const status = byId("status");
  const headers = [...document.querySelectorAll("th[data-column]")];
  const selects = [byId("month"), byId("is")];
  let begin = 0; // of the window

  function show() {
    const end = Math.min(begin + WINDOW, shown.length);
    body.replaceChildren(...Array.from(shown.subarray(begin, end), rowOf));
    const found = `${counted(total, "link")} to ${counted(shown.length, "target")}`;
    const all = total === placeCount ? "" : `, of ${grouped(placeCount)} to ${grouped(targetCount)}`;
    const range = shown.length > WINDOW ? ` Shown are targets ${grouped(begin + 1)} to ${grouped(end)}.` : "";
    const trouble = unknown.map((key) => ` Not understood: ${key}.`).join("");
    status.textContent = `${found}${all}.${range}${trouble}`;
    for (const header of headers) {
      if (header.dataset.column !== sorting.column) header.removeAttribute("aria-sort");
      else header.setAttribute("aria-sort", sorting.isDescending ? "descending" : "ascending");
    }
    for (const pages of document.querySelectorAll(".pages")) pages.hidden = shown.length <= WINDOW;
    for (const control of document.querySelectorAll(".pages button")) {
      // Not "disabled": the focus would be lost.
      control.setAttribute("aria-disabled", String(pageStart(control.dataset.page) === begin));
    }
  }

  function update() {
    filter(words.value);
    const terms = termsOf(words.value);
    for (const select of selects) {
      const value = terms.findLast(([name]) => name === select.id)?.[1] ?? "";
      select.value = value;
      if (select.value !== value) select.value = ""; // a day, or what is not known
    }
    arrange();
  }

  function arrange() {
    sort();
    begin = 0;
    show();
    clearTimeout(arrange.timer); // browsers refuse an address for each letter that is typed
    arrange.timer = setTimeout(() => {
      const address = addressOf();
      if (address !== (location.hash || "#")) history.replaceState(null, "", address);
    }, 300);
  }

  // --- the state in the address of the page -----------------------------------------------------------

  function addressOf() {
    const sorted = `${sorting.isDescending ? "-" : ""}${sorting.column}`;
    const parts = [
      ...(words.value ? [`q=${encodeURIComponent(words.value).replaceAll("%3A", ":")}`] : []),
      ...(sorted === "-last" ? [] : [`sort=${sorted}`]),
    ];
    return `#${parts.join("&")}`;
  }

  function read(address) {
    const state = new URLSearchParams(address.slice(1));
    const sorted = state.get("sort") ?? "-last";
    const column = sorted.replace("-", "");
    if (Object.hasOwn(columns, column)) sorting = { column, isDescending: sorted.startsWith("-") };
    words.value = (state.get("q") ?? "").slice(0, words.maxLength);
    update();
  }

  function goTo(name) {
    const element = byId(name);
    if (!element) return;
    element.tabIndex = -1;
    element.scrollIntoView();
    element.focus({ preventScroll: true });
  }

  // Links in the page: to a search, or to a section, which leaves the search in the address.
  document.addEventListener("click", (event) => {
    const address = event.target.closest?.('a[href^="#"]')?.getAttribute("href");
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (address.includes("=")) {
      if (address !== location.hash) history.pushState(null, "", address);
      read(address);
      goTo("links");
    } else goTo(address.slice(1));
  });
  addEventListener("popstate", () => {
    if (location.hash.includes("=") || !location.hash) read(location.hash);
  });

  // --- controls ---------------------------------------------------------------------------------

  function pageStart(page) {
    const end = Math.max(0, Math.ceil(shown.length / WINDOW) - 1) * WINDOW;
    return { first: 0, previous: Math.max(0, begin - WINDOW), next: Math.min(end, begin + WINDOW), last: end }[page];
  }

  document.querySelectorAll(".pages").forEach((pages, at) => pages.addEventListener("click", (event) => {
    const { page } = event.target.dataset;
    if (!page) return;
    begin = pageStart(page);
    show();
    if (at === 1) status.scrollIntoView();
  }));

  for (const header of headers) {
    const { column } = header.dataset;
    const control = document.createElement("button");
    control.type = "button";
    control.textContent = header.textContent;
    control.addEventListener("click", () => {
      sorting = { column, isDescending: sorting.column === column ? !sorting.isDescending : column !== "url" };
      arrange();
    });
    header.replaceChildren(control);
  }

  // A choice is a term of the search, in place of one of its kind.
  for (const select of selects) {
    select.addEventListener("input", () => {
      const others = words.value.replace(new RegExp(`(^|\\s)${select.id}:\\S*`, "gi"), "").trim();
      words.value = `${others} ${select.value ? `${select.id}:${select.value}` : ""}`.trim();
      update();
    });
  }

  // In a picture, one bar can be reached by Tab, and the arrow keys go to the others.
  for (const chart of document.querySelectorAll(".chart")) {
    chart.addEventListener("keydown", (event) => {
      const bars = [...chart.querySelectorAll("a")];
      const at = bars.indexOf(event.target.closest("a"));
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
      if (to === undefined || !bars[to]) return;
      event.preventDefault();
      bars[at].setAttribute("tabindex", "-1");
      bars[to].setAttribute("tabindex", "0");
      bars[to].focus();
    });
  }

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
    const lines = ["date,url,target,domain,text,context,from,subject,page,source,message,message_id,notes"];
    for (let place = 0; place < placeCount; place++) {
      if (!passes[place]) continue;
      const [target, message] = [targetOf[place], places.message[place]];
      const text = (column, at) => texts[column[at]];
      const notes = [text(places.lie, place), text(places.warning, place), text(places.mend, place)];
      lines.push([
        messages.date[message], text(places.written, place) || text(targets.url, target), text(targets.url, target),
        text(targets.domain, target), text(places.text, place), text(places.context, place),
        text(messages.sender, message), text(messages.subject, message), text(messages.page, message),
        text(messages.file, message), messages.number[message], text(messages.id, message),
        notes.filter(Boolean).join("; "),
      ].map(cell).join(","));
    }
    return `${lines.join("\r\n")}\r\n`;
  }

  byId("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    link.download = "links.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });

  // --- the beginning ---------------------------------------------------------------------------------

  words.addEventListener("input", update);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(update)); // when the fields are empty
  for (const hidden of document.querySelectorAll("#filters, .script")) hidden.hidden = false;
  read(location.hash.includes("=") ? location.hash : "");
  if (location.hash.includes("=")) goTo("links");
})();
