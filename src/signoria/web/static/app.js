// Scripts for all pages: the title, the clock, connection messages and copy buttons.
// Pages also work without them.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector);

  // Texts in the language of the page, by name, with values for their gaps; of two forms the one that fits the number `n`.
  const read = (selector) => JSON.parse($(selector)?.textContent ?? "{}"), texts = { ...read("#texts"), ...read("#more-texts") };
  const { lang } = document.documentElement, plural = new Intl.PluralRules(lang);
  globalThis.inWords = (name, values = {}) => {
    const forms = texts[name], form = Array.isArray(forms) ? forms[plural.select(values.n) === "one" ? 0 : 1] : forms;
    return form.replaceAll(/\{(\w+)\}/g, (_, gap) => values[gap]);
  };

  // The top and the bottom of what can be seen of a table: between its head and the bars at the foot of the window.
  globalThis.betweenBars = () => {
    const rect = (selector) => $(selector)?.getBoundingClientRect(), stage = rect(".stage");
    let bottom = innerHeight;
    for (const bar of ["#walk", "#coach", ".mine"].map(rect))
      if (bar && stage && bar.left < stage.right && bar.right > stage.left && bar.bottom >= bottom - 1 && bar.top > stage.top) bottom = Math.min(bottom, bar.top);
    return [Math.max(0, rect("#head")?.bottom ?? 0), bottom];
  };

  // The title and the icon say when it is your turn, also in a background tab.
  const icon = $("link[rel=icon]"), usual = icon?.href;
  function retitle() {
    const main = $("main[data-title]");
    if (main) document.title = main.dataset.title;
    const href = /^[●(]/.test(document.title) ? icon?.dataset.turn : usual;
    if (icon && href && icon.getAttribute("href") !== href) icon.href = href;
  }

  // The clock. `now` is the server's time when the page was drawn; the difference to the browser's clock is kept.
  let drawn = "", ahead = 0;
  function tick() {
    const clock = $("#time-left");
    if (clock) {
      const { deadline, now } = clock.dataset;
      if (now && now !== drawn) [drawn, ahead] = [now, Date.now() - now];
      const left = Math.max(0, Math.round((deadline - (Date.now() - ahead)) / 1000));
      const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
      const two = (n) => String(n).padStart(2, "0");
      const days = Math.floor(hours / 24);
      clock.textContent =
        days > 1 ? inWords("whole_days", { n: days }) : hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
      clock.classList.toggle("short", left < 30);
    }
  }

  // Times of messages, in the local time zone.
  function localise() {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (!isNaN(at)) time.textContent = at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
    }
  }

  // How long ago something happened, updated since the page was drawn.
  const { now: began } = $("#live")?.dataset ?? {}, skew = began ? Date.now() - began : 0;
  function age() {
    if (!began) return;
    for (const time of document.querySelectorAll("time[data-at]")) {
      const minutes = Math.floor((Date.now() - skew - time.dataset.at) / 60000);
      const [n, unit] =
        minutes < 60 ? [minutes, "minutes"] : minutes < 1440 ? [Math.floor(minutes / 60), "hours"] : [Math.floor(minutes / 1440), "days"];
      const words = n < 1 ? inWords("now") : inWords(unit, { n });
      if (time.textContent !== words) time.textContent = words;
    }
  }

  // The connection: a message when it is lost for more than a moment, and when it is back.
  const banner = $("#connection"), live = $("#live");
  let lost = null, heard = 0, out = false, asleep = false;
  function say(words, good) {
    banner.textContent = words;
    banner.hidden = !words;
    banner.classList.toggle("good", good);
  }
  function unheard(words) {
    out = true;
    say(words, false);
  }
  function gone() {
    heard = 0;
    lost ??= setTimeout(() => unheard(inWords("lost")), 1200);
  }
  function back() {
    clearTimeout(lost);
    lost = null;
    if (!out) return;
    out = false;
    say(inWords("back"), true);
    setTimeout(() => banner.classList.contains("good") && say("", false), 4000);
  }
  function again() {
    const stream = live?._htmx?.sse;
    if (stream) stream.reader?.cancel();
    else if (live) htmx.ajax("GET", live.getAttribute("hx-sse:connect"), { source: live }).catch(gone);
  }
  if (live) {
    document.addEventListener("htmx:sse:error", gone);
    document.addEventListener("htmx:sse:close", (event) => {
      if (asleep || event.detail.reason !== "ended") return;
      gone();
      setTimeout(again, 2000);
    });
    document.addEventListener("htmx:sse:before:connection", ({ detail: { connection } }) => {
      if (asleep) connection.cancelled = true;
      else if (connection.attempt > 0) gone();
    });
    document.addEventListener("htmx:sse:after:connection", back);
    // The server sends `beat` regularly. Without it the connection is dead, even if the browser reports it open.
    const hear = () => (heard = Date.now());
    live.addEventListener("beat", hear);
    document.addEventListener("htmx:sse:after:message", () => heard && hear());
    setInterval(() => heard && Date.now() - heard > 45000 && (gone(), again()), 5000);
    addEventListener("offline", gone);
    addEventListener("online", again);
    // Browsers allow six connections to a server over HTTP/1.1, and steps need one too. So a hidden tab disconnects when
    // four other tabs have been opened or viewed since, and reconnects when it is viewed again.
    const tabs = new BroadcastChannel("signoria"), me = Math.random(), since = new Set();
    tabs.addEventListener("message", ({ data }) => {
      if (!document.hidden || since.add(data).size < 4 || asleep) return;
      [asleep, heard] = [true, 0];
      live._htmx?.sse?.reader?.cancel();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      since.clear();
      tabs.postMessage(me);
      const stale = asleep || (heard && Date.now() - heard > 20000);
      asleep = false;
      if (stale) again();
    });
    tabs.postMessage(me);
  }

  // Answers and live messages may overtake each other: the page never goes back to an older version of a table.
  // (`#live` has the version of a table that waits to be shown.) The first part that differs decides which is older; later parts may decrease, for example when messages are deleted.
  function older(text) {
    const shown = $("#live[data-version], main[data-version]")?.dataset.version.split("."), other = /data-version="([^"]*)"/.exec(text)?.[1].split(".");
    const place = shown && other ? other.findIndex((part, at) => part !== shown[at]) : -1;
    return place >= 0 && Number(other[place]) < Number(shown[place]);
  }

  function sent({ sourceElement: form, response }) {
    if (form?.matches?.("form[data-reset]") && response?.status < 400) form.reset();
  }
  function sentence(text, selector) {
    return new DOMParser().parseFromString(text, "text/html").querySelector(selector)?.textContent;
  }

  // Only a matching `<main>` is swapped into the page; any other answer is shown as a message.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    if (!ctx.staged && older(ctx.text)) {
      event.preventDefault();
      sent(ctx);
      return say(sentence(ctx.text, "#notice") ?? "", false);
    }
    if (!ctx.target?.id || ctx.text.includes(`<main id="${ctx.target.id}"`)) return;
    event.preventDefault();
    if (ctx.sourceElement === live) return gone(), setTimeout(again, 3000);
    say(sentence(ctx.text, "#says") ?? inWords("failed"), false);
  });
  document.addEventListener("htmx:error", (event) => {
    const { ctx } = event.detail;
    if (!ctx || ctx.response) return;
    if (ctx.sourceElement !== live) return unheard(inWords(navigator.onLine ? "unreached" : "offline"));
    gone();
    setTimeout(again, 3000);
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (out) back();
    else if (event.detail.ctx.sourceElement !== live) say("", false);
    retitle();
    tick();
    localise();
    age();
    const number = $("input[data-digits]"); // a field that has focus keeps its number, even if it is no longer possible
    if (number && !number.checkValidity()) number.value = number.defaultValue;
    sent(event.detail.ctx);
  });

  // A checkbox that is saved at once.
  document.addEventListener("change", ({ target }) => target.matches("[data-send]") && target.form.requestSubmit());

  // Copying a link.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = $(button.dataset.copy);
    field.select();
    await navigator.clipboard?.writeText(field.value);
    button.textContent = inWords("copied");
  });

  retitle();
  tick();
  localise();
  age();
  setInterval(tick, 500);
  setInterval(age, 20000);
})();
