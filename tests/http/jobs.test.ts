import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import { job, openJobRow } from "../../contract/job.ts"
import { jobRow, rowEvidence } from "../../contract/job-rows.ts"
import type { Role } from "../../contract/roles.ts"
import { codeOf, dataOf, type TestResponse, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const named = z.looseObject({ id: z.string(), email: z.string(), points_balance: z.int() })
type Named = z.output<typeof named>

let app: TestApp
let people: Readonly<Record<Role, Person>>
let members: Named[]

beforeAll(async () => {
  // Short times: a row that is not found within a second goes to a person.
  app = await startApp({ env: { JOB_SETTLE_SECONDS: "1", JOB_RECHECK_SECONDS: "1" } })
  const [admin, manager, fulfilment, viewer] = await Promise.all([
    app.signIn("admin"),
    app.signIn("manager"),
    app.signIn("fulfilment"),
    app.signIn("viewer"),
  ])
  people = { admin, manager, fulfilment, viewer }
  members = dataOf(await admin.ask("/program/members?status=active&per_page=50"), z.array(named))
})
afterAll(() => app.close())

const member = () => members.pop() ?? named.parse(undefined)

function post(person: Person, path: string, body?: unknown, key?: string): Promise<TestResponse> {
  const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key }
  return person.ask(path, { method: "POST", headers, ...(body !== undefined && { body }) })
}

describe("an open job of the ship desk", () => {
  const parcel = (order_id: string, expected: object = {}) => ({
    kind: "order-update",
    rows: [{ order_id, status: "shipped", tracking_number: `33ABC4401${order_id.slice(-3)}`, expected }],
    options: { open: true },
  })
  const add = async (person: Person, body: unknown, key: string) => {
    const { id, row } = dataOf(await post(person, "/jobs", body, key), openJobRow)
    const path = `/jobs/${id}/rows/${row}`
    const ended = await vi.waitFor(
      async () => {
        const now = dataOf(await person.ask(path), jobRow)
        expect(now.state).toMatch(/confirmed|failed|absent|conflict/)
        return now
      },
      { timeout: 80_000 },
    )
    return { id, row, ended }
  }

  test("takes each parcel as a row, closes with the session, and then ends", async () => {
    const { fulfilment: tom, manager, viewer } = people
    const read = await tom.ask("/program/orders?per_page=100")
    const open = dataOf(read, z.array(z.looseObject({ order_id: z.string(), status: z.string() }))).filter(
      ({ status }) => status === "pending" || status === "processing",
    )
    const [one = "", two = "", three = ""] = open.map(({ order_id }) => order_id)
    const sentBefore = app.sandbox.requests.entries.length
    const first = await add(tom, parcel(one), "parcel-1")
    expect(await add(tom, parcel(one), "parcel-1")).toMatchObject({ id: first.id, row: 1 })
    const wrong = await post(tom, "/jobs", parcel(two), "parcel-1")
    expect([wrong.status, codeOf(wrong)]).toEqual([422, "conflict"])
    const other = await add(tom, parcel(two), "parcel-2")
    // The parcel expects another status, as if the order had changed since the scan.
    const asks = await add(tom, parcel(three, { status: "delivered" }), "parcel-3")
    const theirs = await add(manager, parcel(three), "parcel-1")
    expect([first, other, asks].map(({ id, row, ended }) => [id, row, ended.state])).toEqual([
      [first.id, 1, "confirmed"],
      [first.id, 2, "confirmed"],
      [first.id, 3, "conflict"],
    ])
    expect(theirs.id).not.toBe(first.id)

    const entry = {
      id: first.id,
      total: 3,
      attention: 1,
      state: "running",
      open: true,
      title: "Shipping parcels",
    }
    const mine = await viewer.ask("/jobs?kind=order-update&state=attention")
    expect(dataOf(mine, z.array(job))).toMatchObject([{ ...entry, counts: { confirmed: 2, conflict: 1 } }])
    const log = dataOf(await tom.ask("/audit?action=order.update"), z.array(auditEntry))
    expect(log.map(({ on, outcome }) => [on.id, outcome])).toEqual([
      [three, "unknown"],
      [two, "done"],
      [one, "done"],
    ])
    const evidence = dataOf(await tom.ask(`/jobs/${first.id}/rows/3/candidates`), rowEvidence)
    expect(evidence.row).toMatchObject({ row: 3, conflict: { before: { status: "delivered" } } })
    const decision = { decision: "leave" }
    const decided = await post(tom, `/jobs/${first.id}/rows/3/decision`, decision)
    expect(dataOf(decided, jobRow)).toMatchObject({ row: 3, decision })

    const again = await app.signIn("fulfilment")
    expect((await tom.ask("/session", { method: "DELETE" })).status).toBe(204)
    await expect
      .poll(async () => dataOf(await again.ask(`/jobs/${first.id}`), job))
      .toMatchObject({ state: "done", open: false, attention: 0, total: 3 })
    const next = await add(again, parcel(two), "parcel-4")
    expect([next.row, next.id === first.id]).toEqual([1, false])
    const patched = app.sandbox.requests.entries.slice(sentBefore).filter(({ method }) => method === "PATCH")
    expect(patched.map(({ path }) => path.split("/").at(-1))).toEqual([one, two, three])
  })

  test("accepts only one order update at a time", async () => {
    const valid = parcel("ord_1")
    const award = { member_id: member().id, points: 5, reason: "Not shipped" }
    const wrong = [
      { ...valid, rows: [...valid.rows, ...valid.rows] },
      { ...valid, options: { ...valid.options, draft: true } },
      { ...valid, kind: "award", rows: [award] },
    ]
    for (const body of wrong) {
      const refused = await post(people.manager, "/jobs", body, crypto.randomUUID())
      expect(refused).toMatchObject({
        status: 422,
        body: { error: { details: { fields: [{ field: "options.open" }] } } },
      })
    }
  })
})
