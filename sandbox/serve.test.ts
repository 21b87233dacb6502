import { spawn } from "node:child_process"
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createSandbox, type Sandbox } from "./app.ts"
import { demoKey } from "./config.ts"
import { readServeConfig, type ServedSandbox, serveSandbox } from "./serve.ts"

const headers = { authorization: `Bearer ${demoKey}` }
let sandbox: Sandbox
let served: ServedSandbox

beforeEach(async () => {
  sandbox = createSandbox({ members: 40, rateLimit: 0, control: true })
  served = await serveSandbox(sandbox)
})
afterEach(() => served.close())

const get = (path: string, init: RequestInit = {}) => fetch(`${served.url}${path}`, { headers, ...init })

describe("over HTTP", () => {
  it("serves both APIs and the control", async () => {
    expect((await get("/v1/members")).status).toBe(200)
    expect((await get("/api/v1/external/giftcard/cards/NPS-2291")).status).toBe(200)
    expect((await get("/__sandbox/settings")).status).toBe(200)
    expect((await get("/elsewhere")).status).toBe(404)
  })

  it("takes a body and answers 204 without one", async () => {
    const id = sandbox.store.members.idAt(3)
    const body = JSON.stringify({ company: "Bayside Ducted & Söhne" })
    const changed = await get(`/v1/members/${id}`, {
      method: "PATCH",
      body,
      headers: { ...headers, "content-type": "application/json" },
    })
    expect(await changed.json()).toMatchObject({ data: { company: "Bayside Ducted & Söhne" } })
    const deleted = await get(`/v1/members/${id}`, { method: "DELETE" })
    expect([deleted.status, await deleted.text()]).toEqual([204, ""])
  })

  it("a drop destroys the socket", async () => {
    sandbox.faults.add({ kind: "drop-before", match: { times: 1 } })
    await expect(get("/v1/members")).rejects.toThrow("fetch failed")
    expect((await get("/v1/members")).status).toBe(200)
  })

  it("a hang sends nothing, not even headers, until the client gives up", async () => {
    sandbox.faults.add({ kind: "hang" })
    const request = httpRequest(`${served.url}/v1/members`, { headers })
    let answered = false
    request.on("response", () => (answered = true))
    request.end()
    while (sandbox.requests.count === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    const closed = once(request, "error")
    request.destroy(new Error("given up"))
    await closed
    expect(answered).toBe(false)
  })

  it("a truncated answer promises more than it sends", async () => {
    sandbox.faults.add({ kind: "truncated" })
    const response = await get("/v1/members")
    expect(response.status).toBe(200)
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(1000)
    await expect(response.text()).rejects.toThrow("terminated")
  })

  it("a drip sends its body in pieces", async () => {
    sandbox.faults.add({ kind: "drip", ms: 20 })
    const response = await get("/v1/leaderboards")
    let pieces = 0
    for await (const piece of response.body ?? []) pieces += piece.length > 0 ? 1 : 0
    expect(pieces).toBeGreaterThan(1)
  })

  it("a body that fails after its reader left is not reported as an error", async () => {
    const reader = new AbortController()
    const over = Promise.withResolvers<void>()
    const away = await serveSandbox({
      ...sandbox,
      async fetch({ signal }) {
        const left = once(signal, "abort")
        reader.abort()
        await left
        const pull = () => {
          setImmediate(() => over.resolve())
          throw signal.reason
        }
        return new Response(new ReadableStream({ pull }))
      },
    })
    await expect(fetch(away.url, { signal: reader.signal })).rejects.toThrow("abort")
    await over.promise
    await away.close()
  })

  it("says no to a port that is taken", async () => {
    await expect(serveSandbox(sandbox, { port: served.port })).rejects.toMatchObject({ code: "EADDRINUSE" })
  })
})

const run = async (env: Record<string, string>) => {
  const child = spawn(process.execPath, ["sandbox/serve.ts"], {
    env: { ...process.env, SANDBOX_MEMBERS: "1", ...env },
  })
  let text = ""
  child.stderr.on("data", (piece: Buffer) => (text += piece.toString()))
  const [code] = await once(child, "exit")
  return { code: Number(code), lines: text.trim().split("\n") }
}

describe("environment", () => {
  it("has defaults", () => {
    expect(readServeConfig({})).toEqual({
      host: "127.0.0.1",
      port: 4010,
      key: demoKey,
      rateLimit: 60,
      members: 2000,
      seed: "laurel",
    })
  })

  it.each([
    ["SANDBOX_PORT", "http"],
    ["SANDBOX_PORT", "70000"],
    ["SANDBOX_RATE_LIMIT", "-1"],
    ["SANDBOX_MEMBERS", "2.5"],
    ["SANDBOX_MEMBERS", "9999999"],
    ["SANDBOX_API_KEY", "short"],
    ["SANDBOX_API_KEY", "a key with spaces"],
    ["SANDBOX_HOST", "a b"],
  ])("%s=%s is one sentence that names it", (name, value) => {
    expect(() => readServeConfig({ [name]: value })).toThrow(
      new RegExp(`^${name} must [^.]+(\\.\\d[^.]*)?\\.$`),
    )
  })

  it("a bad value or a busy port ends the program with one sentence and code 1", async () => {
    expect(await run({ SANDBOX_PORT: "none" })).toEqual({
      code: 1,
      lines: [`SANDBOX_PORT must be a whole number from 0 to 65535, not "none".`],
    })
    expect(await run({ SANDBOX_PORT: String(served.port) })).toEqual({
      code: 1,
      lines: [`Port ${served.port} is in use; set SANDBOX_PORT to a free one.`],
    })
  })
})
