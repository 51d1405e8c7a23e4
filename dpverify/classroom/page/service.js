// Keeps the folder's files with the browser: a later visit loads nothing, and needs no network.
const FOLDER = self.registration.scope, MINE = `${FOLDER} @BUILD@`;
const FRAME = ["./", @FRAME@];

const anew = (url) => new Request(url, { cache: "no-cache" });

async function install() {
  const cache = await caches.open(MINE);
  await cache.addAll(FRAME.map(anew));
  await self.skipWaiting();
}

async function activate() {
  const older = (await caches.keys()).filter((name) => name.startsWith(FOLDER) && name !== MINE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(event) {
  const cache = await caches.open(MINE), found = await cache.match(event.request, { ignoreSearch: true });
  if (found) return found;
  const fetched = await fetch(anew(event.request.url));
  if (fetched.status === 200) event.waitUntil(cache.put(event.request.url, fetched.clone()));
  return fetched;
}

self.oninstall = (event) => event.waitUntil(install());
self.onactivate = (event) => event.waitUntil(activate());
self.onfetch = (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(FOLDER)) event.respondWith(kept(event));
};
