// The service worker: keeps the shell and the rules for reading without a network, and shows push messages.
// The server sets VERSION, KEPT and LANGUAGE before it. Moves are never kept for later: without a network they are refused.
"use strict";
const { VERSION, KEPT, LANGUAGE } = self;
const CACHE = `signoria-${VERSION}`, OFFLINE = "/offline";

async function install() {
  const cache = await caches.open(CACHE);
  // without a cookie: these pages must not show the name of the person who installs the app
  await Promise.all(KEPT.map(async (address) => {
    const answer = await fetch(address, { credentials: "omit", cache: "no-cache", headers: { "accept-language": LANGUAGE } });
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    await cache.put(address, answer);
  }));
  await self.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("signoria-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

// Files have a hash in their address, so a kept one is never out of date.
async function file(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    const { pathname } = new URL(request.url), cache = await caches.open(CACHE);
    const kept = request.method === "GET" ? await cache.match(pathname) : undefined;
    if (kept) return kept;
    const offline = await cache.match(OFFLINE);
    if (!offline) return Response.error();
    return new Response(await offline.blob(), { status: 503, headers: offline.headers });
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (request.method === "GET" && pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.method === "GET" && pathname.startsWith("/rules/")) event.respondWith(page(request));
});

// Push messages. A page of the table that the person is looking at needs none.
const address = (url) => {
  const found = new URL(url, self.location.origin);
  return found.origin === self.location.origin ? found : new URL("/", self.location.origin);
};
async function tell(note) {
  const { href, pathname } = address(note.url ?? "/");
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.some((shown) => shown.visibilityState === "visible" && new URL(shown.url).pathname === pathname)) return;
  const { title = "Signoria", body = "", tag } = note;
  await self.registration.showNotification(title, { body, tag, data: { href }, icon: "/static/icons/icon-192.png", badge: "/static/icons/badge-96.png" });
}
self.addEventListener("push", (event) => {
  let note = {};
  try {
    note = event.data?.json() ?? {};
  } catch {
    // a message that cannot be read still says that something happened
  }
  event.waitUntil(tell(note));
});
async function visit(href) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((shown) => new URL(shown.url).pathname === new URL(href).pathname);
  return there ? there.focus() : self.clients.openWindow(href);
}
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(address(event.notification.data?.href ?? "/").href));
});
