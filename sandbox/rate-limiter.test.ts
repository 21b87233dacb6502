import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { testClient } from "../tests/support/sandbox/client.ts"

const noKey = { headers: { authorization: "" } }

describe("key", () => {
  it("answers 401 unauthorized without the right key, before anything else", async () => {
    const { program, sandbox } = testClient()
    for (const authorization of ["", "Bearer wrong", "laurel-sandbox-key", "Basic laurel-sandbox-key"]) {
      const answer = await program("POST", "/points/award", {}, { headers: { authorization } })
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({
        success: false,
        error: { code: "unauthorized", message: "Invalid API key" },
      })
    }
    expect(sandbox.store.ledger).toEqual([])
  })

  it("answers 401 of the gift-card API without a code", async () => {
    const { giftcard } = testClient()
    const answer = await giftcard("GET", "/giftcard/cards/x", undefined, noKey)
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: { message: expect.any(String) } })
  })

  it("accepts other keys once the settings name them, and the first one no longer", async () => {
    const { program, sandbox } = testClient()
    sandbox.settings.keys = ["another-key"]
    expect((await program("GET", "/leaderboards")).status).toBe(401)
    const other = { headers: { authorization: "Bearer another-key" } }
    expect((await program("GET", "/leaderboards", undefined, other)).status).toBe(200)
  })

  it("has a key for each API", async () => {
    const { program, giftcard } = testClient({ giftcardKey: "another-key" })
    expect((await program("GET", "/leaderboards")).status).toBe(200)
    expect((await giftcard("GET", "/giftcard/cards/NPS-2291")).status).toBe(401)
  })
})

describe("requests", () => {
  it.each(["/nothing", "/members/x/y/z", "/members/"])("%s is 404 not_found", async (path) => {
    const { program } = testClient()
    const answer = await program("GET", path)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ success: false, error: { code: "not_found" } })
  })

  it.each(["{", "[]", "null", "7", `"text"`])("the body %s is 400 invalid_request", async (body) => {
    const { program } = testClient()
    const answer = await program("POST", "/points/award", body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: { code: "invalid_request" } })
  })

  it("a body needs its content type", async () => {
    const { program } = testClient()
    const answer = await program("POST", "/points/award", {}, { headers: { "content-type": "text/plain" } })
    expect(answer.body).toMatchObject({ error: { message: "Content-Type must be application/json" } })
  })

  it("are logged with their body and without their key", async () => {
    const { program, sandbox } = testClient()
    await program("POST", "/points/award", { points: 1 })
    expect(sandbox.requests.entries).toEqual([
      expect.objectContaining({
        seq: 1,
        method: "POST",
        path: "/v1/points/award",
        body: `{"points":1}`,
        status: 400,
      }),
    ])
    expect(JSON.stringify(sandbox.requests.entries)).not.toContain("laurel-sandbox-key")
  })

  it("are dated by the service's clock", async () => {
    const { program, time } = testClient({ settings: { clockOffsetMs: 3_600_000 } })
    const answer = await program("POST", "/members", { email: "a@b.com", first_name: "A", last_name: "B" })
    const hourAhead = new Date(time.now() + 3_600_000)
    expect(answer.headers.get("date")).toBe(hourAhead.toUTCString())
    expect(answer.record["created_at"]).toBe(hourAhead.toISOString())
  })
})

async function run(gaps: number[], limit: number): Promise<void> {
  const { program, time } = testClient({ members: 1, rateLimit: limit })
  const accepted: number[] = []
  let refusedWithRoom = 0
  const inWindow = () => accepted.filter((at) => at > time.now() - 60_000).length
  for (const gap of gaps) {
    time.advance(gap)
    const hasRoom = inWindow() < limit
    const { status } = await program("GET", "/leaderboards")
    if (status === 200) accepted.push(time.now())
    else if (hasRoom) refusedWithRoom += 1
    expect(inWindow()).toBeLessThanOrEqual(limit)
  }
  expect(refusedWithRoom).toBe(0)
}

describe("rate limit", () => {
  it("answers 429 with the envelope and no header that says when", async () => {
    const { program, giftcard } = testClient({ rateLimit: 1, giftcardRateLimit: 1 })
    await program("GET", "/leaderboards")
    const answer = await program("GET", "/leaderboards")
    expect(answer.status).toBe(429)
    expect(answer.body).toMatchObject({ success: false, error: { code: "rate_limited" } })
    expect([...answer.headers.keys()].toSorted()).toEqual(["content-type", "date"])
    expect((await giftcard("GET", "/giftcard/cards/x")).status).toBe(404)
    expect((await giftcard("GET", "/giftcard/cards/x")).status).toBe(429)
  })

  it("accepts at most the limit in any minute", async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 5, maxLength: 60 })
    await fc.assert(fc.asyncProperty(gaps, fc.integer({ min: 1, max: 6 }), run), { numRuns: 40 })
  })
})
