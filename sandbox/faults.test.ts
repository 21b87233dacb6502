import { describe, expect, it } from "vitest"
import { ana, testClient } from "../tests/support/sandbox/client.ts"

const award = { member_id: ana, points: 500, reason: "Q4 bonus" }
const post = ["POST", "/points/award", award] as const

describe("a write that fails", () => {
  it.each([500, 502, 503, 504])("before commit: %i and nothing done", async (status) => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "before-commit-500", status })
    const answer = await program(...post)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, error: { code: "server_error" } })
    expect(sandbox.store.ledger).toEqual([])
  })

  it("after commit: 500 and done", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "after-commit-500" })
    expect((await program(...post)).status).toBe(500)
    expect(sandbox.store.ledger).toHaveLength(1)
  })

  it("in the gift-card API carries that API's body, and a retry replays the card", async () => {
    const { giftcard, sandbox } = testClient()
    sandbox.faults.add({ kind: "after-commit-500", match: { api: "giftcard", times: 1 } })
    const member = { email: "a@outback.example", firstname: "A", lastname: "B" }
    const body = { member, denomination: 50, idempotencyKey: "k" }
    const lost = await giftcard("POST", "/giftcard/cards", body)
    expect(lost.status).toBe(500)
    expect(lost.body).toEqual({ error: { message: expect.any(String) } })
    expect((await giftcard("POST", "/giftcard/cards", body)).status).toBe(200)
  })

  it("dropped before: a network error and nothing done; dropped after: done", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "drop-before", match: { nth: 1 } })
    sandbox.faults.add({ kind: "drop-after", match: { times: 1 } })
    await expect(program(...post)).rejects.toThrow(TypeError)
    expect(sandbox.store.ledger).toHaveLength(0)
    await expect(program(...post)).rejects.toThrow(TypeError)
    expect(sandbox.store.ledger).toHaveLength(1)
    expect(sandbox.requests.entries.map(({ status, fault }) => [status, fault])).toEqual([
      [0, "drop-before"],
      [0, "drop-after"],
    ])
  })

  it("cannot be reached, or finds the fund empty: nothing done", async () => {
    const { program, giftcard, sandbox } = testClient()
    sandbox.faults.add({ kind: "unreachable", match: { api: "program" } })
    sandbox.faults.add({ kind: "empty-fund", match: { api: "giftcard", times: 1 } })
    await expect(program(...post)).rejects.toThrow(TypeError)
    const body = { member: { email: "a@outback.example", firstname: "A", lastname: "B" }, denomination: 50 }
    const refused = await giftcard("POST", "/giftcard/cards", body)
    expect(refused).toMatchObject({ status: 402, body: { error: { code: "INSUFFICIENT_FUND" } } })
    expect(sandbox.store.ledger).toEqual([])
    expect((await giftcard("POST", "/giftcard/cards", body)).status).toBe(201)
  })

  it("an edit meets a member or an order that changed just before", async () => {
    const { program, sandbox } = testClient()
    const order = sandbox.store.orders.all.find(({ type }) => type === "physical")
    const company = sandbox.store.members.get(ana)?.company
    sandbox.faults.add({ kind: "changed-before" })
    await program("GET", `/members/${ana}`)
    await program("GET", `/orders/${order?.id}`)
    expect(sandbox.store.members.get(ana)?.company).toBe(`${company} (moved)`)
    expect(sandbox.store.orders.get(order?.id ?? "")).toMatchObject({ carrier: "TNT" })
  })

  it("hangs until it is given up, carried out or not as the rule says", async () => {
    for (const commit of [false, true]) {
      const { program, sandbox } = testClient()
      sandbox.faults.add({ kind: "hang", commit })
      const controller = new AbortController()
      const answer = program(...post, { signal: controller.signal })
      controller.abort(new Error("given up"))
      await expect(answer).rejects.toThrow("given up")
      expect(sandbox.store.ledger).toHaveLength(commit ? 1 : 0)
    }
  })

  it("commits late: refused now, booked at its time, before the next request that comes after", async () => {
    const { program, sandbox, time } = testClient()
    sandbox.faults.add({ kind: "late-commit", ms: 10_000, status: 504, match: { times: 1 } })
    const start = time.now()
    expect((await program(...post)).status).toBe(504)
    time.advance(9999)
    await program("GET", `/members/${ana}`)
    expect(sandbox.store.ledger).toHaveLength(0)
    time.advance(5001)
    const { rows } = await program("GET", `/members/${ana}/transactions?per_page=1`)
    expect(rows).toMatchObject([{ points: 500, created_at: new Date(start + 10_000).toISOString() }])
  })

  it("commits late everything that is put off, when a test asks for it", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "late-commit", answer: "drop" })
    await expect(program(...post)).rejects.toThrow(TypeError)
    await sandbox.settleAll()
    expect(sandbox.store.ledger).toHaveLength(1)
  })

  it("books part of a bulk award: unanswered, or answered with what was booked", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "partial-bulk", match: { times: 1 } })
    sandbox.faults.add({ kind: "partial-bulk", keep: 1, answer: "ok" })
    const awards = [award, award, award, award]
    expect((await program("POST", "/points/award/bulk", { awards })).status).toBe(500)
    expect(sandbox.store.ledger).toHaveLength(2)
    expect((await program("POST", "/points/award/bulk", { awards })).record).toMatchObject({
      processed: 1,
      failed: 3,
    })
    expect(sandbox.store.ledger).toHaveLength(3)
  })

  it("shows its row late in the history", async () => {
    const { program, sandbox, time } = testClient()
    sandbox.faults.add({ kind: "lagging-history", ms: 5000, match: { method: "POST" } })
    const { record } = await program(...post)
    const newest = async () =>
      (await program("GET", `/members/${ana}/transactions?per_page=1`)).rows[0]?.["transaction_id"]
    expect(await newest()).not.toBe(record["transaction_id"])
    time.advance(5000)
    expect(await newest()).toBe(record["transaction_id"])
  })
})

describe("an answer that is slow or damaged", () => {
  it("slow: carried out immediately and answered later, or carried out later", async () => {
    for (const commit of [true, false]) {
      const { program, sandbox, time } = testClient()
      sandbox.faults.add({ kind: "slow", ms: 2000, commit, match: { method: "POST" } })
      const answer = program(...post)
      await program("GET", `/members/${ana}`)
      expect(sandbox.store.ledger).toHaveLength(commit ? 1 : 0)
      time.advance(2000)
      expect((await answer).status).toBe(200)
      expect(sandbox.store.ledger).toHaveLength(1)
    }
  })

  it("drips its body", async () => {
    const { sandbox, time } = testClient()
    sandbox.faults.add({ kind: "drip", ms: 2000 })
    const headers = { authorization: "Bearer laurel-sandbox-key" }
    const response = await sandbox.fetch(new Request("http://sandbox.test/v1/rewards", { headers }))
    const reader = response.body?.getReader()
    const pieces: Uint8Array[] = []
    for (let done = false; !done;) {
      const next = reader?.read()
      await Promise.resolve()
      time.advance(100)
      const piece = await next
      if (piece?.value !== undefined) pieces.push(piece.value)
      done = piece?.done ?? true
    }
    expect(pieces).toHaveLength(20)
    expect(await new Blob(pieces.map((piece) => piece.slice())).text()).toMatch(/^\{"success":true.*\}$/)
  })

  it("a burst of 429, without headers", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({ kind: "429", match: { times: 3 } })
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1) statuses.push((await program("GET", "/leaderboards")).status)
    expect(statuses).toEqual([429, 429, 429, 200])
  })

  it.each([
    ["html", /^<!doctype html>/],
    ["truncated", /^\{"success":true,"data":\[.*[^}]$/],
    ["empty", /^$/],
  ] as const)("%s", async (kind, text) => {
    const { sandbox } = testClient()
    sandbox.faults.add({ kind })
    const headers = { authorization: "Bearer laurel-sandbox-key" }
    const response = await sandbox.fetch(new Request("http://sandbox.test/v1/leaderboards", { headers }))
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(text)
  })

  it("has an unknown enum, a missing, a null, a further or a wrongly typed field", async () => {
    const { program, sandbox } = testClient()
    const damaged = async (
      kind: "unknown-enum" | "missing-field" | "null-field" | "wrong-type" | "extra-field",
      field?: string,
    ) => {
      sandbox.faults.clear()
      sandbox.faults.add(field === undefined ? { kind } : { kind, field })
      const [row] = (await program("GET", "/members?per_page=2")).rows
      return row ?? {}
    }
    expect(await damaged("unknown-enum")).toMatchObject({ status: "archived_by_partner" })
    expect(await damaged("missing-field", "company")).not.toHaveProperty("company")
    expect(await damaged("null-field", "points_balance")).toMatchObject({ points_balance: null })
    expect(await damaged("wrong-type", "metadata")).toMatchObject({ metadata: 7 })
    expect(await damaged("extra-field")).toMatchObject({ x_partner_note: "not documented" })
    const drawn = await damaged("missing-field")
    expect(Object.keys(drawn)).toHaveLength(11)
    expect(await damaged("missing-field")).toEqual(drawn)
  })
})

const struckTurns = async (match: { nth?: number; every?: number; times?: number }) => {
  const { program, sandbox } = testClient({ members: 1 })
  sandbox.faults.add({ kind: "before-commit-500", match })
  const list: number[] = []
  for (let n = 1; n <= 6; n += 1) if ((await program("GET", "/leaderboards")).status === 500) list.push(n)
  return list
}

const struckByChance = async (seed: string) => {
  const { program, sandbox } = testClient({ members: 1, seed })
  sandbox.faults.add({ kind: "before-commit-500", match: { probability: 0.3 } })
  let pattern = ""
  for (let n = 0; n < 100; n += 1)
    pattern += (await program("GET", "/leaderboards")).status === 500 ? "x" : "."
  return pattern
}

describe("matching", () => {
  it("by API, method and path", async () => {
    const { program, sandbox } = testClient()
    sandbox.faults.add({
      kind: "before-commit-500",
      match: { api: "program", method: "get", path: "/v1/members/*/balance" },
    })
    expect((await program("GET", `/members/${ana}/balance`)).status).toBe(500)
    expect((await program("GET", `/members/${ana}`)).status).toBe(200)
    expect((await program("GET", "/members")).status).toBe(200)
  })

  it("by turn: the n-th, every n-th, at most a number of times", async () => {
    expect(await struckTurns({ nth: 3 })).toEqual([3])
    expect(await struckTurns({ every: 2 })).toEqual([2, 4, 6])
    expect(await struckTurns({ every: 2, times: 2 })).toEqual([2, 4])
  })

  it("by chance, the same for the same seed", async () => {
    const pattern = await struckByChance("a")
    expect(await struckByChance("a")).toBe(pattern)
    expect(await struckByChance("b")).not.toBe(pattern)
    expect(pattern.split("x").length - 1).toBeGreaterThan(15)
    expect(pattern.split("x").length - 1).toBeLessThan(45)
  })

  it("never meets a request that the key or the limit refused", async () => {
    const { program, sandbox } = testClient({ rateLimit: 1 })
    const rule = sandbox.faults.add({ kind: "drop-after" })
    await program("GET", "/leaderboards", undefined, { headers: { authorization: "" } })
    expect(rule.seen).toBe(0)
  })

  it("refuses a rule it does not know, and takes rules out", () => {
    const { sandbox } = testClient()
    expect(() => sandbox.faults.add({ kind: "slow", ms: -1 })).toThrow("ms")
    const { id } = sandbox.faults.add({ kind: "slow" })
    expect(sandbox.faults.remove(id)).toBe(true)
    expect(sandbox.faults.remove(id)).toBe(false)
    expect(sandbox.faults.list()).toEqual([])
  })
})
