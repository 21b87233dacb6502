import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { can, roles, type Role } from "../contract/roles.ts"
import { createTestKit } from "../tests/support/test-kit.ts"
import { madeUpMember, record } from "../tests/support/made-up-members.ts"
import { jobOf, rowOf } from "../tests/support/job-records.ts"
import { type JobKind, jobKindDescriptors, jobKinds } from "../contract/job-kinds.ts"
import type { RowRecord } from "./jobs/job-store.ts"
import { kindRules, newRow } from "./jobs/kinds/kind-rules.ts"
import { findRow } from "./match.ts"
import { type Operation, policy } from "./policy.ts"

/** Every operation of both documents (docs/api/program.md, Endpoints, and docs/api/giftcard.md). */
const documented = [
  "GET /members",
  "POST /members",
  "GET /members/{member_id}",
  "PATCH /members/{member_id}",
  "DELETE /members/{member_id}",
  "GET /members/{member_id}/balance",
  "GET /members/{member_id}/transactions",
  "POST /points/award",
  "POST /points/award/bulk",
  "POST /points/deduct",
  "GET /rewards",
  "GET /rewards/{reward_id}",
  "POST /rewards/redeem",
  "GET /orders",
  "GET /orders/{order_id}",
  "PATCH /orders/{order_id}",
  "GET /leaderboards",
  "GET /leaderboards/{leaderboard_id}/rankings",
  "POST /giftcard/cards",
  "GET /giftcard/cards/{id}",
]

const appPath = (operation: (typeof policy)[number], id = "id_1") =>
  (operation.api === "program" ? "/program" : "") + operation.path.replaceAll(/\{\w+\}/g, id)

const requests = async (role: Role, operation: Operation) => {
  const kit = createTestKit()
  const answer = await kit.ask(`${operation.method} ${appPath(operation)}`, { role, body: {} })
  return { answer, sent: kit.upstream.calls }
}

describe("the policy table", () => {
  it("has one row for every documented operation and no other", () => {
    expect(policy.map(({ id }) => id).toSorted()).toEqual(documented.toSorted())
  })

  const order = { base: { status: "pending" }, send: { status: "shipped" } }
  const whom = { member_id: "mem_1", points: 5, reason: "Spring bonus" }
  const person = { email: "ana@example.com", first_name: "Ana", last_name: "Silva" }
  const member = { email: "ana@example.com", firstname: "Ana", lastname: "Silva" }
  const card = { member, denomination: 50, cardId: "card_a" }
  const inputs: Readonly<Record<JobKind, { input: object; notes?: RowRecord["notes"] }>> = {
    award: { input: whom },
    deduct: { input: whom },
    "member-create": { input: person },
    "member-update": {
      input: { member_id: "mem_1", company: "Acme" },
      notes: { base: { company: "" }, send: { company: "Acme" } },
    },
    redeem: { input: { member_id: "mem_1", reward_id: "rew_1" } },
    "order-update": { input: { order_id: "ord_1", status: "shipped" }, notes: order },
    "member-merge": { input: { member_id: "mem_1", into: "mem_2", points: 5 } },
    "order-return": { input: { order_id: "ord_1" }, notes: { ...order, send: { status: "cancelled" } } },
    giftcard: { input: card, notes: { body: { ...card, externalRef: "r", idempotencyKey: "k" } } },
  }
  it.each(jobKinds)("has a row of %s for every request that its rules send", (kind) => {
    const { input, notes = null } = inputs[kind]
    const row = rowOf({ ...newRow(kind, input, {}), notes, memberId: "mem_1" })
    const { bulk, request } = kindRules[kind]
    const sent = [request(jobOf({ kind }), row), ...(bulk ? [bulk.request(jobOf({ kind }), [row])] : [])]
    // A change of a member is also sent without a job; some kinds send what another one is named by.
    const rows = policy.filter((operation) => operation.kind !== "read")
    const writes = sent.map(({ method, path }) =>
      findRow(rows, method, `/program${path}`.replace("/program/giftcard", "/giftcard")),
    )
    expect(writes.map(({ row: { id } }) => id)).toEqual(sent.map(({ operation }) => operation))
    expect(sent.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining([...jobKindDescriptors[kind].operations]),
    )
  })

  const cases = policy.flatMap((operation) => roles.map((role) => [operation.id, role, operation] as const))
  it.each(cases.filter(([, role, { permission }]) => !can(role, permission)))(
    "%s is closed to %s, and nothing is sent",
    async (_, role, operation) => {
      const { answer, sent } = await requests(role, operation)
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
      expect(sent).toEqual([])
    },
  )

  it.each(cases.filter(([, role, { permission, kind }]) => can(role, permission) && kind !== "job"))(
    "%s is open to %s",
    async (_, role, operation) => {
      const { answer } = await requests(role, operation)
      expect([200, 404, 422]).toContain(answer.status)
    },
  )

  const jobs = policy.filter((operation) => operation.kind === "job")
  it.each(jobs.map((operation) => [operation.id, operation] as const))(
    "%s refers roles with the permission to a job, and sends nothing",
    async (_, operation) => {
      const { answer, sent } = await requests("manager", operation)
      const details = { jobs: "/api/jobs", kind: operation.job }
      expect(answer).toMatchObject({ status: 405, body: { error: { code: "use_jobs", details } } })
      expect(sent).toEqual([])
    },
  )

  it("answers 404 where it has no path and 405 with the methods where it has one", async () => {
    const kit = createTestKit()
    for (const line of [
      "GET /program",
      "GET /program/",
      "GET /program/keys",
      "GET /program/members/",
      "GET /x",
    ]) {
      expect((await kit.ask(line)).status).toBe(404)
    }
    const wrong = await kit.ask("PUT /program/members/mem_1")
    expect(wrong).toMatchObject({ status: 405, headers: { Allow: "GET, PATCH, DELETE" } })
    expect((await kit.ask("PATCH /program/rewards/redeem")).headers.Allow).toBe("GET, POST")
    expect(kit.upstream.calls).toEqual([])
  })

  it("says which service is not connected", async () => {
    const kit = createTestKit({
      config: { apis: { program: { baseUrl: "x", keyEnd: "x", rateLimit: 60 }, giftcard: null } },
    })
    expect(await kit.ask("GET /giftcard/cards/card_1")).toMatchObject({
      status: 503,
      body: { error: { code: "not_connected", details: { api: "giftcard" } } },
    })
  })
})

describe("ids in paths", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          "/",
          "..",
          ".",
          "?",
          "#",
          "%",
          "%2f",
          "%2e",
          "\\",
          "@",
          ":",
          ";",
          "a",
          "&",
          "=",
          "é",
          "🎁",
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((pieces) => pieces.join("")),
  )

  it("stay one segment of the documented path, whatever they are, or are refused", async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (id) => {
        const kit = createTestKit()
        kit.upstream.serve(() => record(madeUpMember(id.toWellFormed())))
        const answer = await kit.ask(`GET /program/members/${encodeURIComponent(id.toWellFormed())}`)
        // Refused ids send nothing; of the others a server sees exactly the one segment and no query of their making.
        const seen = kit.upstream.calls.map(({ path }) => new URL(`http://program.test/v1${path}`))
        const expected = answer.status === 200 ? [["", "v1", "members", id.toWellFormed()]] : []
        expect(seen.map(({ pathname }) => pathname.split("/").map(decodeURIComponent))).toEqual(expected)
        expect(seen.map(({ search, hash }) => search + hash).join("")).toBe("")
        expect([200, 400, 404]).toContain(answer.status)
      }),
      { numRuns: 100 },
    )
  })

  it("reach no service however the address is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary-ascii", maxLength: 30 }), async (tail) => {
        const kit = createTestKit()
        kit.upstream.serve(() => record(madeUpMember("mem_1")))
        await kit.app.handle({
          method: "GET",
          path: `/program/members/${tail}`,
          search: "",
          body: undefined,
          user: { id: "u", name: "u", email: "u@laurel.test", role: "admin" },
          requestId: "r",
          source: null,
          header: () => undefined,
          signal: new AbortController().signal,
        })
        for (const { path } of kit.upstream.calls) {
          expect(path).toMatch(/^\/members\/[^/?#]+(\/balance|\/transactions)?$/)
          expect(new URL(`http://program.test/v1${path}`).pathname.startsWith("/v1/members/")).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  it.each([".", "..", "%2e", "%2E%2e", "a%00b", "%0a", "%zz", "%ff", "x".repeat(201)])(
    "are refused: %s",
    async (id) => {
      const kit = createTestKit()
      expect((await kit.ask(`GET /program/members/${id}`)).status).toBe(400)
      expect(kit.upstream.calls).toEqual([])
    },
  )
})

describe("parameters", () => {
  it.each([
    ["page=banana", "page"],
    ["page=1.5", "page"],
    ["page=0", "page"],
    ["per_page=101", "per_page"],
    ["status=Active", "status"],
    ["tier=Gold&tier=Silver", "tier"],
    ["api_key=1", "api_key"],
    ["__proto__=1", "__proto__"],
    [`search=${"x".repeat(201)}`, "search"],
  ])("%s is refused by name", async (query, field) => {
    const kit = createTestKit()
    const answer = await kit.ask(`GET /program/members?${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "validation", details: { fields: [{ field, message: expect.any(String) }] } } },
    })
    expect(kit.upstream.calls).toEqual([])
  })

  it("are sent as the document names them", async () => {
    const kit = createTestKit()
    await kit.ask("GET /program/rewards?type=digital&min_points=10&max_points=-1&category=a%26b")
    await kit.ask("GET /program/orders?from=2026-01-31&to=2026-02-28&member_id=m%2F1")
    await kit.ask("GET /program/leaderboards/lb%2F1/rankings?limit=100")
    await kit.ask("GET /giftcard/cards/ref%2F1?cardId=tpl_1")
    expect(kit.upstream.lines()).toEqual([
      "GET /rewards?category=a%26b&max_points=-1&min_points=10&type=digital",
      "GET /orders?from=2026-01-31&member_id=m%2F1&to=2026-02-28",
      "GET /leaderboards/lb%2F1/rankings?limit=100",
      "GET /giftcard/cards/ref%2F1?cardId=tpl_1",
    ])
  })

  it("of a search are refused for a role without search", async () => {
    const kit = createTestKit()
    const searched = await kit.ask("GET /program/members?page=1&search=ana", { role: "fulfilment" })
    expect(searched).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
    await kit.ask("GET /program/members?page=1&per_page=50", { role: "fulfilment" })
    expect(kit.upstream.lines()).toEqual(["GET /members?page=1&per_page=50"])
  })

  it("are refused where a path takes none", async () => {
    const kit = createTestKit()
    expect((await kit.ask("GET /program/members/mem_1?include=all")).status).toBe(400)
  })
})
