import * as z from "zod/mini"
import type { Permission } from "../../contract/roles.ts"
import { type TestResponse, dataOf, type Person } from "../support/person.ts"

/** Records used by the probes. */
export interface Records {
  readonly member: string
  readonly card: string
  /** A new deletable member per call. */
  disposable(): { id: string; email: string }
}

/** A request that shows whether a role has a permission. */
export interface Probe {
  readonly name: string
  ask(person: Person, records: Records): Promise<TestResponse>
  /** Statuses when allowed; 200 by default. */
  readonly allowed?: readonly number[]
  /** For a refusal with fewer fields instead of a 403: whether the response is complete. */
  readonly isComplete?: (answer: TestResponse) => boolean
}

const get = (path: string | ((records: Records) => string)): Probe => ({
  name: `GET ${typeof path === "string" ? path : "one record"}`,
  ask: (person, records) => person.ask(typeof path === "string" ? path : path(records)),
})

/** Writes that must go through a job: 405 if allowed, otherwise 403. */
const job = (method: string, path: string): Probe => ({
  name: `${method} ${path}`,
  ask: (person) => person.ask(path, { method, body: {} }),
  allowed: [405],
})

/** A POST with a body. */
const post = (path: string, body: unknown, allowed: readonly number[] = [200]): Probe => ({
  name: `POST ${path}`,
  allowed,
  ask: (person) => person.ask(path, { method: "POST", body }),
})

/** A draft job: nothing is sent. */
const newJob = (kind: string): Probe => ({
  name: `POST /jobs of kind ${kind}`,
  allowed: [201],
  ask: (person) =>
    person.ask("/jobs", {
      method: "POST",
      body: { kind, rows: [], options: { draft: true } },
      headers: { "Idempotency-Key": crypto.randomUUID() },
    }),
})

/** An action on a missing job: 404 if allowed. */
const jobAction = (act: string): Probe => ({
  name: `POST /jobs/{id}/${act}`,
  allowed: [404],
  ask: (person) => person.ask(`/jobs/J-0/${act}`, { method: "POST", body: {} }),
})

const connectionList = z.object({ connections: z.array(z.looseObject({ base_url: z.nullable(z.string()) })) })

/** Probes of each permission. The roles table says who is allowed. */
export const probes: Readonly<Partial<Record<Permission, readonly Probe[]>>> = {
  "members.read": [
    get("/program/members"),
    get("/program/members?page=2&per_page=10"),
    get(({ member }) => `/program/members/${member}`),
    post("/members/names", { ids: ["mem_none"] }),
  ],
  "members.search": [
    get("/program/members?search=ana"),
    get("/program/members?status=active"),
    get("/program/members?tier=Gold"),
  ],
  "members.edit": [
    job("POST", "/program/members"),
    newJob("member-create"),
    newJob("member-update"),
    {
      name: "PATCH one member",
      ask: (person, { member }) =>
        person.ask(`/program/members/${member}`, { method: "PATCH", body: { company: "Northern Air" } }),
    },
    {
      name: "deactivate one member",
      ask: (person, { member }) =>
        person.ask(`/program/members/${member}`, { method: "PATCH", body: { status: "inactive" } }),
    },
  ],
  "members.delete": [
    post("/members/mem_erased/erase", {}),
    {
      name: "DELETE one member",
      allowed: [204],
      ask: (person, records) => {
        const { id, email } = records.disposable()
        return person.ask(`/program/members/${id}`, { method: "DELETE", body: { email } })
      },
    },
  ],
  "companies.read": [get("/companies"), { ...get("/companies/Nobody"), allowed: [404, 409] }],
  // 409 without books, 404 for a month that has none.
  "reports.read": [
    get("/reports/ledgers?by=type"),
    ...["outstanding", "activity", "rewards", "fulfilment", "gift-cards"].map((name) =>
      get(`/reports/${name}`),
    ),
    { ...get("/books"), allowed: [200, 409] },
    { ...get("/books/2001-01"), allowed: [404, 409] },
    { ...get("/books/2001-01/differences"), allowed: [404, 409] },
  ],
  "books.close": [post("/books/2001-01/close", { not_read: 0 }, [404, 409])],
  "ledger.read": [
    get(({ member }) => `/program/members/${member}/balance`),
    get(({ member }) => `/program/members/${member}/transactions`),
    get(({ member }) => `/transactions?member_id=${member}`),
    get("/reports/points?by=month"),
  ],
  "points.write": [
    job("POST", "/program/points/award"),
    job("POST", "/program/points/award/bulk"),
    job("POST", "/program/points/deduct"),
    newJob("award"),
    newJob("deduct"),
    jobAction("reverse"),
    // 409 until every member is synced.
    { ...get("/members/recipients?tier=Gold"), allowed: [200, 409] },
    { ...get("/jobs/J-0/reversal"), allowed: [404] },
  ],
  "rewards.read": [get("/program/rewards"), get("/rewards"), get("/rewards/facets")],
  "rewards.redeem": [
    job("POST", "/program/rewards/redeem"),
    newJob("redeem"),
    get(({ member }) => `/members/${member}/address`),
  ],
  "orders.read": [
    get("/program/orders"),
    get("/orders"),
    get("/orders/facets"),
    get("/orders/shipped-today"),
    get("/orders/claims"),
    post("/orders/used-numbers", { numbers: ["0042"] }),
    post("/carriers/recognise", { numbers: ["0042"] }),
  ],
  "orders.update": [
    job("PATCH", "/program/orders/ord_1"),
    newJob("order-update"),
    post("/carriers/choice", { number: "0042", carrier: "dhl" }, [204]),
    {
      name: "PUT a claim of an order",
      allowed: [204],
      ask: (person) => person.ask("/orders/ord_1/claim", { method: "PUT" }),
    },
  ],
  "orders.address": [get("/orders/ord_1/address"), post("/orders/addresses", { ids: ["ord_1", "ord_2"] })],
  "cards.read": [
    get(({ card }) => `/giftcard/cards/${card}`),
    get("/cards?search=ana&expiring_days=30"),
    get("/cards/facets"),
    get("/settings/cardTemplates"),
    { ...get("/cards/gc_none"), allowed: [404] },
    {
      name: "look a card up that is not in the register",
      allowed: [404],
      ask: (person) => person.ask("/cards/gc_none/look-up", { method: "POST", body: {} }),
    },
  ],
  "cards.issue": [
    get("/cards/fund"),
    get("/settings/cardCosts"),
    get("/settings/cardPairs"),
    job("POST", "/giftcard/cards"),
    newJob("giftcard"),
    post("/cards/check-references", { references: [{ reference: "NPS-2291" }] }),
    {
      name: "POST /cards/adopt",
      // Another role may have added it already.
      allowed: [200, 201],
      ask: (person, { card }) => person.ask("/cards/adopt", { method: "POST", body: { id: card } }),
    },
  ],
  "secrets.reveal": [
    {
      name: "reveal the link of a card that is not in the register",
      allowed: [404],
      ask: (person) =>
        person.ask("/cards/gc_none/reveal", { method: "POST", body: { reason: "It never arrived" } }),
    },
    post("/orders/ord_none/reveal", { reason: "The e-mail is lost" }, [404]),
  ],
  "leaderboards.read": [get("/program/leaderboards"), get("/leaderboards/lb_1/history")],
  "jobs.read": [
    get("/jobs"),
    get("/jobs/summary"),
    { ...get("/jobs/J-0"), allowed: [404] },
    { ...get("/jobs/J-0/rows"), allowed: [404] },
  ],
  "jobs.control": [
    ...["start", "pause", "resume", "cancel", "retry"].map(jobAction),
    {
      name: "decide a row",
      allowed: [404],
      ask: (person) =>
        person.ask("/jobs/J-0/rows/1/decision", { method: "POST", body: { decision: "leave" } }),
    },
  ],
  "exports.people": [
    {
      name: "POST /exports",
      allowed: [201],
      ask: (person) => person.ask("/exports", { method: "POST", body: { kind: "members" } }),
    },
  ],
  "notes.read": [
    get(({ member }) => `/notes/member/${member}`),
    get(({ member }) => `/notes/member/${member}/versions`),
  ],
  "notes.write": [
    {
      name: "PUT a note",
      // A save by another role in between is a conflict, not a refusal.
      allowed: [200, 409],
      ask: (person, { member }) =>
        person.ask(`/notes/member/${member}`, {
          method: "PUT",
          body: { text: "Prefers e-mail", version: 0 },
        }),
    },
  ],
  "audit.read": [get("/audit")],
  "users.manage": [
    get("/users"),
    {
      name: "POST /users",
      allowed: [201],
      ask: (person) => {
        const email = `${crypto.randomUUID()}@laurel.example`
        return person.ask("/users", { method: "POST", body: { name: "Sam Okafor", email, role: "viewer" } })
      },
    },
  ],
  "settings.connections": [
    {
      name: "addresses in GET /status",
      ask: (person) => person.ask("/status"),
      isComplete: (answer) =>
        dataOf(answer, connectionList).connections.every(({ base_url }) => base_url !== null),
    },
  ],
  "settings.servers": [
    {
      name: "POST /status/servers/{id}/stopped",
      allowed: [404],
      ask: (person) => person.ask("/status/servers/none/stopped", { method: "POST", body: {} }),
    },
  ],
  "settings.program": [
    {
      name: "PUT a merged company",
      ask: (person) =>
        person.ask("/companies/Acme%20Pty%20Ltd/merge", { method: "PUT", body: { into: "Acme" } }),
    },
    {
      name: "PUT /settings/program",
      ask: (person) => {
        const body = { name: "Cool Rewards", time_zone: "Australia/Perth", currency: "AUD" }
        return person.ask("/settings/program", { method: "PUT", body })
      },
    },
  ],
  "views.share": [
    {
      name: "PUT a shared view",
      ask: (person) => {
        const columns = { shown: {}, order: [], widths: {} }
        const body = { list: "orders", name: "To send", shared: true, search: {}, columns }
        return person.ask(`/views/${crypto.randomUUID()}`, { method: "PUT", body })
      },
    },
  ],
  "status.read": [get("/status"), get("/status/budget")],
}
