import { Hono, type Context } from "hono"
import { forNames, memberDetailNames } from "../../contract/program/member-fields.ts"
import { envelope, invalid, notFound, pageEnvelope, readBody, validate } from "../http.ts"
import type { MemberRecord } from "../store/records.ts"
import type { Call, CallEnv } from "../world.ts"
import { memberChange, newMember, queryPage, queryText, queryTime, queryWord } from "./requests.ts"
import { balanceView, memberView, transactionView } from "./record-views.ts"

const statuses = ["active", "inactive", "pending"]
const types = ["award", "redeem", "deduct", "expire", "adjust"]

/** The members of the program API (docs/api/program.md, Members). */
export function memberRoutes(): Hono<CallEnv> {
  const app = new Hono<CallEnv>()
  app.get("/", (c) => list(c))
  app.post("/", (c) => create(c))
  app.get("/:id", (c) => envelope(c, memberView(c.env.world.settings, memberOf(c.env, c.req.param("id")))))
  app.patch("/:id", (c) => change(c, memberOf(c.env, c.req.param("id"))))
  app.delete("/:id", (c) => remove(c, memberOf(c.env, c.req.param("id"))))
  app.get("/:id/balance", (c) => envelope(c, balanceView(memberOf(c.env, c.req.param("id")))))
  app.get("/:id/transactions", (c) => history(c, memberOf(c.env, c.req.param("id"))))
  return app
}

/** The member with an id. Throws 404. */
export function memberOf(call: Call, id: string): MemberRecord {
  const member = call.world.store.members.get(id)
  if (member === undefined) throw notFound("Member")
  return member
}

function list(c: Context<CallEnv>): Response {
  const { settings, store } = c.env.world
  const page = queryPage(c)
  const filter = {
    status: queryWord(c, "status", statuses),
    tier: queryText(c, "tier")?.toLowerCase(),
    search: queryText(c, "search")?.trim().toLowerCase() || undefined,
  }
  const { total, rows } = store.members.page(filter, page.offset, page.per_page)
  const data = rows.map((member) => memberView(settings, member))
  return pageEnvelope(c, data, page, total)
}

async function create(c: Context<CallEnv>): Promise<Response> {
  const { store, settings } = c.env.world
  const body = validate(newMember, await readBody(c))
  if (settings.duplicateEmail === "refuse" && store.members.findByEmail(body.email) !== undefined) {
    throw invalid("A member with this email already exists")
  }
  const details = forNames(memberDetailNames, (name) => body[name] ?? null)
  const given = { ...body, ...details, metadata: body.metadata ?? {}, status: "active" }
  return envelope(c, memberView(settings, store.createMember(given, "program", c.env)), 201)
}

async function change(c: Context<CallEnv>, before: MemberRecord): Promise<Response> {
  const { world, now, clock } = c.env
  const { email, metadata, ...fields } = validate(memberChange, await readBody(c))
  if (email !== undefined) throw invalid("email cannot be changed")
  const named = Object.entries({ ...fields, metadata }).filter(([, value]) => value !== undefined)
  const member: MemberRecord = { ...before, ...Object.fromEntries(named), updated: clock }
  world.store.members.put(member)
  world.store.record({ kind: "member-update", id: member.id, fields: named.map(([key]) => key) }, now)
  return envelope(c, memberView(world.settings, member))
}

function remove(c: Context<CallEnv>, member: MemberRecord): Response {
  const { store } = c.env.world
  store.members.remove(member.id)
  store.record({ kind: "member-delete", id: member.id }, c.env.now)
  return c.body(null, 204)
}

function history(c: Context<CallEnv>, member: MemberRecord): Response {
  const { world, now, clock, hideMs } = c.env
  const page = queryPage(c)
  const type = queryWord(c, "type", types)
  const from = queryTime(c, "from") ?? -Infinity
  const to = queryTime(c, "to") ?? Infinity
  const youngest = hideMs > 0 ? clock - hideMs : Infinity
  const rows = world.store.transactions
    .of(member.id)
    .filter((row) => row.visible <= now && row.created <= youngest)
    .filter((row) => (type === undefined || row.type === type) && row.created >= from && row.created <= to)
    .toReversed()
  const data = rows.slice(page.offset, page.end).map((row) => transactionView(world.settings, row))
  return pageEnvelope(c, data, page, rows.length)
}
