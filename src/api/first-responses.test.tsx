import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as z from "zod/mini"
import { request } from "./request.ts"
import { dropFirstResponses, takeFirstResponses } from "../lib/first-responses.ts"

const schema = z.object({ id: z.string() })
const path = "/api/program/members/mem_1"

/** A server that has the member under another id than the page. */
function server() {
  const fetched = vi.fn<typeof fetch>(() =>
    Promise.resolve(Response.json({ success: true, data: { id: "mem_1" } })),
  )
  vi.stubGlobal("fetch", fetched)
  return fetched
}

describe("a response that came with the page", () => {
  const address = "/api/program/members/mem_1?page=1"
  const query = { page: 1 }
  const put = (text: string, facts: Record<string, string> = {}) => {
    const block = document.createElement("script")
    block.type = "application/json"
    Object.assign(block.dataset, { address, status: "200", age: "12", ...facts })
    block.text = text
    document.body.append(block)
    takeFirstResponses()
  }
  const body = JSON.stringify({ success: true, data: { id: "mem_page" } })
  // The page is a second old, however long the tests before this one took.
  const openedFor = (ms: number) => void vi.spyOn(performance, "now").mockReturnValue(ms)
  beforeEach(() => openedFor(1000))
  afterEach(() => {
    dropFirstResponses()
    vi.restoreAllMocks()
  })

  it("answers a read of its address, once, with its age", async () => {
    const fetched = server()
    put(body)
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_page" } })
    expect(fetched).not.toHaveBeenCalled()
    expect(document.querySelector("script")).toBeNull()
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_1" } })
  })

  it("carries a refusal too: nobody is signed in", async () => {
    const refusal = { code: "session_required", message: "No.", requestId: "r-1" }
    put(JSON.stringify({ success: false, error: refusal }), { status: "401" })
    await expect(request({ path, query, schema, onSessionEnd: "throw" })).rejects.toMatchObject({
      status: 401,
    })
  })

  it.each([
    ["is no JSON", "{", {}],
    ["is of another form", '{"success":true,"data":{"id":1}}', {}],
    ["has no status", body, { status: "" }],
    ["is of another address", body, { address: "/api/other" }],
  ])("is not used when it %s: the read goes out as usual", async (_, text, facts) => {
    const fetched = server()
    put(text, facts)
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_1" } })
    expect(fetched).toHaveBeenCalledOnce()
  })

  it("is not used once the page is as old as what the browser would ask for again", async () => {
    server()
    put(body)
    openedFor(30_001)
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_1" } })
  })

  it("is not used for a read past the caches, nor after something was changed", async () => {
    server()
    put(body)
    await expect(request({ path, query, schema, fresh: true })).resolves.toMatchObject({
      data: { id: "mem_1" },
    })
    await request({ method: "POST", asks: true, path: "/api/members/names", body: {}, schema })
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_page" } })
    put(body)
    await request({ method: "PATCH", path, body: {}, schema })
    await expect(request({ path, query, schema })).resolves.toMatchObject({ data: { id: "mem_1" } })
  })
})
