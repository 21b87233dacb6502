/** Everything that the browser stores for this origin, as text. Runs in the page. */
export async function browserStorage(): Promise<string> {
  const parts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href]
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function and nothing around it
  const ended = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result))
      request.addEventListener("error", () => reject(new Error("IndexedDB did not answer.")))
    })
  // JSON.stringify drops the entries of a Map.
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- as above
  const written = (_key: string, value: unknown) => (value instanceof Map ? [...value] : value)
  for (const { name } of await indexedDB.databases()) {
    const db = await ended(indexedDB.open(name ?? ""))
    for (const store of db.objectStoreNames) {
      parts.push(JSON.stringify(await ended(db.transaction(store).objectStore(store).getAll()), written))
    }
    db.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys())
      parts.push(request.url, await (await cache.match(request))!.text())
  }
  return parts.join("\n")
}
