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
const deps = { core: { handle: nobody, session: nobody }, sessions: { read: nobody }, about: nobody }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "laurel-app-"))
  mkdirSync(join(folder, "assets"))
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Laurel</title>")
  writeFileSync(join(folder, "assets", "a.js"), "export {}")
  const server = createServer(express().use(staticFiles(folder, deps))).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  close = () => {
    server.closeAllConnections()
    server.close()
  }
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
