import { describe, expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

const person = { email: "new.person@bayside.com.au", first_name: "Nora", last_name: "Quist" }

describe("member list", () => {
  it("answers 25 a page with the total, and the rest on the next pages", async () => {
    const { program } = testClient()
    const first = await program("GET", "/members")
    expect(first.meta).toEqual({ page: 1, per_page: 25, total: 80 })
    expect(first.rows).toHaveLength(25)
    const last = await program("GET", "/members?page=4")
    expect(last.rows).toHaveLength(5)
    expect((await program("GET", "/members?page=5")).rows).toEqual([])
  })

  it("searches name and e-mail, without regard to case", async () => {
    const { program } = testClient()
    expect((await program("GET", "/members?search=ANA%20SIL")).rows).toMatchObject([{ id: ana }])
    expect((await program("GET", "/members?search=dalia@topend")).meta?.total).toBe(1)
    expect((await program("GET", "/members?search=Top%20End")).meta?.total).toBe(0)
  })

  it("filters by status and tier", async () => {
    const { program } = testClient({ members: 400 })
    for (const [name, values] of [
      ["status", ["active", "inactive", "pending"]],
      ["tier", ["Bronze", "Silver", "Gold", "Platinum"]],
    ] as const) {
      const totals = await Promise.all(
        values.map(async (value) => {
          const answer = await program("GET", `/members?${name}=${value}&per_page=100`)
          expect(answer.rows.every((row) => row[name] === value)).toBe(true)
          return answer.meta?.total ?? 0
        }),
      )
      expect(Math.min(...totals)).toBeGreaterThan(0)
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(400)
    }
  })

  it.each(["per_page=101", "per_page=0", "page=0", "page=x", "status=deleted"])(
    "refuses %s",
    async (query) => {
      const { program } = testClient()
      const answer = await program("GET", `/members?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ success: false, error: { code: "invalid_request" } })
    },
  )
})

describe("create member", () => {
  it("answers 201 with an active member without points", async () => {
    const { program, sandbox } = testClient()
    const made = await program("POST", "/members", { ...person, metadata: { dealer_code: "KA-1" } })
    expect(made.status).toBe(201)
    expect(made.record).toMatchObject({
      ...person,
      status: "active",
      points_balance: 0,
      metadata: { dealer_code: "KA-1" },
    })
    expect(sandbox.store.ledger).toMatchObject([{ kind: "member-create", id: made.record["id"] }])
    expect((await program("GET", `/members/${String(made.record["id"])}`)).record).toEqual(made.record)
  })

  it.each(["email", "first_name", "last_name"])("names a missing %s", async (field) => {
    const { program } = testClient()
    const { [field]: _, ...rest } = { ...person } as Record<string, string>
    const answer = await program("POST", "/members", rest)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      success: false,
      error: { code: "invalid_request", message: `${field} is required` },
    })
  })

  it("refuses an address that is not one, and one that is taken", async () => {
    const { program } = testClient()
    expect((await program("POST", "/members", { ...person, email: "nobody" })).status).toBe(400)
    expect(
      (await program("POST", "/members", { ...person, email: "Ana.Silva@coastalclimate.com.au" })).status,
    ).toBe(400)
  })

  it("takes a second member with the address when the setting allows it", async () => {
    const { program } = testClient({ settings: { duplicateEmail: "allow" } })
    expect(
      (await program("POST", "/members", { ...person, email: "ana.silva@coastalclimate.com.au" })).status,
    ).toBe(201)
  })

  it("leaves absent fields out, sends null or empty text, as the setting says", async () => {
    for (const [absentFields, company] of [
      ["omit", undefined],
      ["null", null],
      ["empty", ""],
    ] as const) {
      const { program } = testClient({ settings: { absentFields } })
      const made = await program("POST", "/members", person)
      expect(made.record["company"]).toBe(company)
    }
  })
})

describe("change member", () => {
  it("changes what was sent and nothing else", async () => {
    const { program, time } = testClient()
    const before = (await program("GET", `/members/${ana}`)).record
    time.advance(1000)
    const after = await program("PATCH", `/members/${ana}`, { company: "Coastal Air", status: "inactive" })
    expect(after.record).toEqual({
      ...before,
      company: "Coastal Air",
      status: "inactive",
      updated_at: new Date(time.now()).toISOString(),
    })
    expect((await program("GET", "/members?search=ana%20silva&status=inactive")).meta?.total).toBe(1)
  })

  it("takes active and inactive only", async () => {
    const { program } = testClient()
    expect((await program("PATCH", `/members/${ana}`, { status: "pending" })).status).toBe(400)
  })

  it("refuses a change of the e-mail", async () => {
    const { program } = testClient()
    expect((await program("PATCH", `/members/${ana}`, { email: "x@y.com" })).status).toBe(400)
  })

  it("replaces metadata", async () => {
    const { program } = testClient()
    await program("PATCH", `/members/${ana}`, { metadata: { a: 1, b: 2 } })
    expect((await program("PATCH", `/members/${ana}`, { metadata: { b: 4 } })).record["metadata"]).toEqual({
      b: 4,
    })
  })
})

describe("delete member", () => {
  it("answers 204 without a body, and 404 from then on", async () => {
    const { program, sandbox } = testClient()
    const deleted = await program("DELETE", `/members/${ana}`)
    expect(deleted.status).toBe(204)
    expect(deleted.body).toEqual({})
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/balance"],
      ["GET", "/transactions"],
    ] as const) {
      const answer = await program(method, `/members/${ana}${path}`, method === "PATCH" ? {} : undefined)
      expect(answer.status, `${method} ${path}`).toBe(404)
      expect(answer.body).toMatchObject({ success: false, error: { code: "not_found" } })
    }
    expect((await program("GET", "/members")).meta?.total).toBe(79)
    expect(sandbox.store.ledger).toMatchObject([{ kind: "member-delete", id: ana }])
  })
})

describe("history", () => {
  it("is newest first, filtered by type and by time, both ends included", async () => {
    const { program } = testClient()
    const all = await program("GET", `/members/${ana}/transactions?per_page=100`)
    const times = all.rows.map((row) => String(row["created_at"]))
    expect(times).toEqual(times.toSorted().toReversed())
    const [from, to] = [times[40], times[20]]
    const between = await program("GET", `/members/${ana}/transactions?from=${from}&to=${to}&per_page=100`)
    expect(between.rows.map((row) => row["created_at"])).toEqual(times.slice(20, 41))
    const redeems = await program("GET", `/members/${ana}/transactions?type=redeem&per_page=100`)
    expect(redeems.rows.length).toBeGreaterThan(3)
    expect(redeems.rows.every((row) => row["type"] === "redeem" && Number(row["points"]) < 0)).toBe(true)
  })

  it.each(["type=gift", "from=yesterday", "to=2026-01-01"])("refuses %s", async (query) => {
    const { program } = testClient()
    expect((await program("GET", `/members/${ana}/transactions?${query}`)).status).toBe(400)
  })

  it("shows a row only after the lag", async () => {
    const { program, time } = testClient({ settings: { historyLagMs: 60_000 } })
    const before = (await program("GET", `/members/${ana}/transactions`)).meta?.total ?? 0
    await program("POST", "/points/award", { member_id: ana, points: 10, reason: "Late" })
    expect((await program("GET", `/members/${ana}/transactions`)).meta?.total).toBe(before)
    time.advance(60_000)
    expect((await program("GET", `/members/${ana}/transactions`)).meta?.total).toBe(before + 1)
  })
})
