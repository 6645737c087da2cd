// Notifications in this browser, push messages, and installing the app. Pages also work without this script.
"use strict";
(() => {
  const $ = (selector) => document.querySelector(selector), KEY = "signoria.notify";
  const ready = navigator.serviceWorker?.register("/service-worker.js").then(() => navigator.serviceWorker.ready).catch(() => null);

  // Which notifications open pages show in this browser: a list of kinds. null if the person has not chosen.
  function chosen() {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }
  function choose(kinds) {
    try {
      localStorage.setItem(KEY, JSON.stringify(kinds));
    } catch {
      // storage is not available, so nothing is shown
    }
  }

  // A page in the background shows a notification, unless this browser gets push messages: then those do.
  const permitted = () => globalThis.Notification?.permission === "granted";
  $("#live")?.addEventListener("note", async ({ detail }) => {
    const { kind, title, body, url, tag } = JSON.parse(detail.data);
    if (!document.hidden || !permitted() || !chosen()?.includes(kind)) return;
    const worker = await ready;
    if (await worker?.pushManager?.getSubscription().catch(() => null)) return;
    const options = { body, tag, data: { href: new URL(url, location.origin).href }, icon: "/static/icons/icon-192.png" };
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options).addEventListener("click", () => open(url, "_self"));
  });

  // The server forgets a browser when its session ends, so it is told again now and then.
  const post = (path, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const HOUR = 3600000, TOLD = "signoria.told";
  async function tellServer(made) {
    const { endpoint, keys } = made.toJSON();
    return post("/api/v1/notifications/browsers", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
  }
  async function tellAgain() {
    try {
      if (!permitted() || chosen() === null || Date.now() - Number(localStorage.getItem(TOLD) ?? 0) < HOUR) return;
      const made = await (await ready)?.pushManager?.getSubscription();
      if (!made) return;
      localStorage.setItem(TOLD, String(Date.now()));
      await tellServer(made);
    } catch {
      // there is no network; the next page tells it
    }
  }
  if ($("header a[href='/account']")) tellAgain();

  // The settings of this browser.
  const panel = $("#this-browser");
  if (!panel) return;
  const state = panel.querySelector("[role=status]"), turn = panel.querySelector("button"), key = panel.dataset.key;
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const boxes = [...panel.querySelectorAll("input[data-kind]")];
  const all = () => boxes.map((box) => box.dataset.kind);
  async function subscription() {
    return key ? (await (await ready)?.pushManager?.getSubscription()) ?? null : null;
  }
  async function show(says = "") {
    const kinds = chosen(), on = permitted() && kinds !== null;
    for (const box of boxes) [box.checked, box.disabled] = [on && kinds.includes(box.dataset.kind), !on];
    turn.textContent = inWords(on ? "turn_off" : "turn_on");
    turn.dataset.on = on ? "on" : "";
    const pushed = on && (await subscription());
    state.textContent = says || inWords(!on ? "notes_off" : pushed ? "notes_pushed" : "notes_shown");
  }
  async function turnOn() {
    if (!globalThis.Notification) return inWords("notes_unknown");
    if ((await Notification.requestPermission()) !== "granted") return inWords("notes_forbidden");
    choose(all());
    const manager = key && (await ready)?.pushManager;
    if (!manager) return "";
    try {
      const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
      const answer = await tellServer(made);
      if (answer.ok) return void (panel.dataset.browser = (await answer.json()).id);
      await made.unsubscribe();
      return (await answer.json().catch(() => null))?.detail ?? inWords("notes_refused");
    } catch {
      return inWords("not_pushed");
    }
  }
  async function turnOff() {
    choose([]);
    try {
      localStorage.removeItem(KEY);
    } catch {
      // nothing was stored
    }
    const made = await subscription();
    if (!made) return "";
    await post("/api/v1/notifications/browsers/remove", { endpoint: made.endpoint });
    await made.unsubscribe();
    return "";
  }
  turn.addEventListener("click", async () => {
    turn.disabled = true;
    const says = await (turn.dataset.on ? turnOff() : turnOn()).catch(() => inWords("unreached"));
    turn.disabled = false;
    await show(says ?? "");
  });
  panel.addEventListener("change", () => choose(boxes.filter((box) => box.checked).map((box) => box.dataset.kind)));
  const zone = $("#zone");
  if (zone?.dataset.unset) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  panel.hidden = false;
  show();
})();
