import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer } from "node:http"
import { once } from "node:events"
import { afterEach, beforeEach, expect, it } from "vitest"
import express from "express"
import { staticFiles } from "./static.ts"

let folder: string
let url: string
let close: () => void

const nobody = () => Promise.reject(new Error("Nobody is asked."))
const deps = { sessions: { read: nobody }, session: nobody }

/** Serves the folder as it is now. */
async function serve() {
  const server = createServer(express().use(staticFiles(folder, deps))).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  close = () => {
    server.closeAllConnections()
    server.close()
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "laurel-app-"))
  mkdirSync(join(folder, "assets"))
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><html lang="en"><title>Laurel</title><body><div id="root"></div></body>',
  )
  writeFileSync(join(folder, "assets", "a.js"), "export {}")
  await serve()
})
afterEach(() => {
  close()
  rmSync(folder, { recursive: true, force: true })
})

it("a new build under a running app costs the answer it was needed for, and nothing else", async () => {
  expect((await fetch(`${url}/assets/a.js`)).status).toBe(200)
  rmSync(join(folder, "assets"), { recursive: true })
  await expect(fetch(`${url}/assets/a.js`).then((answer) => answer.text())).rejects.toThrow(
    /terminated|failed/,
  )
  expect((await fetch(`${url}/members`, { headers: { accept: "text/html" } })).status).toBe(200)
})

it("the shell that a service worker caches has no session, and none is read for it", async () => {
  const ask = (cookie: string) => fetch(`${url}/shell.html`, { headers: { cookie, accept: "text/html" } })
  const withoutNonce = async (answer: Response) => (await answer.text()).replaceAll(/nonce="[^"]+"/g, "")
  const [hers, his] = [await ask("laurel-session=hers; laurel-look=dark.roomy"), await ask("")]
  expect(hers.status).toBe(200)
  expect(hers.headers.get("set-cookie")).toBeNull()
  expect(hers.headers.get("content-security-policy")).toContain("script-src 'self';")
  const shell = await withoutNonce(hers)
  expect(shell).toBe(await withoutNonce(his))
  expect(shell).not.toContain("application/json")
})

it("the service worker is revalidated each time and may fetch from this origin only", async () => {
  writeFileSync(join(folder, "sw.js"), "addEventListener('fetch', () => {})")
  // The files are listed once.
  close()
  await serve()
  const { headers } = await fetch(`${url}/sw.js`)
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'")
  expect(headers.get("cache-control")).toContain("max-age=0")
})
