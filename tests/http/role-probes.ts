import * as z from "zod/mini"
import type { Permission } from "../../contract/roles.ts"
import { type Answered, dataOf, type Person } from "../support/person.ts"

/** Records the probes speak of. */
export interface Records {
  readonly member: string
  readonly card: string
  /** Makes a member that may be deleted; its id and address. */
  disposable(): Promise<{ id: string; email: string }>
}

/** One request that shows whether a permission holds. */
export interface Probe {
  readonly name: string
  ask(person: Person, records: Records): Promise<Answered>
  /** Statuses of somebody who is allowed; 200 unless said otherwise. */
  readonly allowed?: readonly number[]
  /** Where a refusal is a shorter answer, not a 403: whether this answer is the whole one. */
  readonly whole?: (answer: Answered) => boolean
}

const get = (path: string | ((records: Records) => string)): Probe => ({
  name: `GET ${typeof path === "string" ? path : "one record"}`,
  ask: (person, records) => person.ask(typeof path === "string" ? path : path(records)),
})

/** What goes through a job answers 405 and names it to whoever may; others are refused before that. */
const job = (method: string, path: string): Probe => ({
  name: `${method} ${path}`,
  ask: (person) => person.ask(path, { method, body: {} }),
  allowed: [405],
})

const connectionList = z.object({ connections: z.array(z.looseObject({ base_url: z.nullable(z.string()) })) })

/** For each permission what shows it against the running server. The roles table says who is allowed. */
export const probes: Readonly<Partial<Record<Permission, readonly Probe[]>>> = {
  "members.read": [
    get("/program/members"),
    get("/program/members?page=2&per_page=10"),
    get(({ member }) => `/program/members/${member}`),
  ],
  "members.search": [
    get("/program/members?search=ana"),
    get("/program/members?status=active"),
    get("/program/members?tier=Gold"),
  ],
  "members.edit": [
    {
      name: "POST /program/members",
      allowed: [201],
      ask: (person) => {
        const email = `${person.session.user.role}.${crypto.randomUUID()}@dealer.example`
        const body = { email, first_name: "Noa", last_name: "Ruiz" }
        return person.ask("/program/members", { method: "POST", body })
      },
    },
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
    {
      name: "DELETE one member",
      allowed: [204],
      ask: async (person, records) => {
        const { id, email } = await records.disposable()
        return person.ask(`/program/members/${id}`, { method: "DELETE", body: { email } })
      },
    },
  ],
  "ledger.read": [
    get(({ member }) => `/program/members/${member}/balance`),
    get(({ member }) => `/program/members/${member}/transactions`),
  ],
  "points.write": [
    job("POST", "/program/points/award"),
    job("POST", "/program/points/award/bulk"),
    job("POST", "/program/points/deduct"),
  ],
  "rewards.read": [get("/program/rewards")],
  "rewards.redeem": [job("POST", "/program/rewards/redeem")],
  "orders.read": [get("/program/orders")],
  "orders.update": [job("PATCH", "/program/orders/ord_1")],
  "cards.read": [get(({ card }) => `/giftcard/cards/${card}`)],
  "cards.issue": [job("POST", "/giftcard/cards")],
  "leaderboards.read": [get("/program/leaderboards")],
  "notes.read": [get(({ member }) => `/notes/member/${member}`)],
  "notes.write": [
    {
      name: "PUT a note",
      // Somebody else's save in between is a conflict, not a refusal.
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
      whole: (answer) =>
        dataOf(answer, connectionList).connections.every(({ base_url }) => base_url !== null),
    },
  ],
  "settings.program": [
    {
      name: "PUT /settings/program",
      ask: (person) => {
        const body = { name: "Cool Rewards", time_zone: "Australia/Perth", currency: "AUD" }
        return person.ask("/settings/program", { method: "PUT", body })
      },
    },
  ],
  "status.read": [get("/status"), get("/status/budget")],
}

/**
 * Permissions whose rooms are not built yet, and the address that will serve each. The day one answers, its probe
 * belongs above.
 */
export const notYet: Readonly<Partial<Record<Permission, readonly [method: string, path: string]>>> = {
  "jobs.read": ["GET", "/jobs"],
  "jobs.control": ["POST", "/jobs/job_1/pause"],
  "orders.address": ["POST", "/orders/ord_1/reveal"],
  "secrets.reveal": ["POST", "/cards/card_1/reveal"],
  "exports.people": ["GET", "/exports/members"],
}
