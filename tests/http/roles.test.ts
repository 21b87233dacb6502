import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { can, grantOf, permissions, type Permission, type Role, roles } from "../../contract/roles.ts"
import { visibleFields } from "../../contract/redaction.ts"
import { type TestResponse, codeOf, dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"
import { type Probe, probes, type Records } from "./role-probes.ts"

const named = z.looseObject({ id: z.string(), email: z.string() })
const record = z.record(z.string(), z.unknown())
const all = Object.keys(permissions).filter((name): name is Permission => name in permissions)

let app: TestApp
let people: Record<Role, Person>
let records: Records

beforeAll(async () => {
  app = await startApp()
  const [admin, manager, fulfilment, viewer] = await Promise.all([
    app.signIn("admin"),
    app.signIn("manager"),
    app.signIn("fulfilment"),
    app.signIn("viewer"),
  ])
  people = { admin, manager, fulfilment, viewer }
  const [first, ...rest] = dataOf(await admin.ask("/program/members?per_page=100"), z.array(named))
  const [card] = app.sandbox.store.cards.all
  records = {
    member: first?.id ?? "",
    card: card?.id ?? "",
    disposable: () => named.parse(rest.pop()),
  }
})
afterAll(() => app.close())

/** The verdict of a response; anything else is a bug in the probe or in Laurel. */
function verdictOf(probe: Probe, answer: TestResponse): string {
  if (probe.isComplete !== undefined) return probe.isComplete(answer) ? "allowed" : "refused"
  if ((probe.allowed ?? [200]).includes(answer.status)) return "allowed"
  if (answer.status === 403 && codeOf(answer) === "forbidden") return "refused"
  return `${answer.status} ${codeOf(answer)}`
}

test("every permission of the roles table has a probe", () => {
  expect(Object.keys(probes).toSorted()).toEqual(all.toSorted())
})

describe.each(
  all.flatMap((permission) => (probes[permission] ?? []).map((probe) => ({ permission, probe }))),
)("$permission: $probe.name", ({ permission, probe }) => {
  test.each(roles.map((role) => ({ role, grant: grantOf(role, permission) })))(
    "$role: $grant",
    async ({ role }) => {
      const answer = await probe.ask(people[role], records)
      expect(verdictOf(probe, answer)).toBe(can(role, permission) ? "allowed" : "refused")
    },
  )
})

describe("fields of a member", () => {
  test.each(roles)("%s sees the same fields in the list and in the record", async (role) => {
    const shown = visibleFields.member[role]
    const list = dataOf(await people[role].ask("/program/members?per_page=100"), z.array(record))
    const one = dataOf(await people[role].ask(`/program/members/${records.member}`), record)
    expect(list.length).toBeGreaterThan(50)
    const came = new Set([...list, one].flatMap((member) => Object.keys(member)))
    // The sandbox fills every documented field of some member.
    expect(came.has("phone")).toBe(shown === "all")
    expect([...came].filter((field) => shown !== "all" && !shown.includes(field))).toEqual([])
  })

  test("the ETag depends on the visible fields, so another role's tag is never a 304", async () => {
    const path = `/program/members/${records.member}`
    const tag = (await people.admin.ask(path)).headers.get("ETag") ?? ""
    const again = await people.admin.ask(path, { headers: { "If-None-Match": tag } })
    const other = await people.fulfilment.ask(path, { headers: { "If-None-Match": tag } })
    expect([again.status, other.status]).toEqual([304, 200])
  })
})

describe("the audit log", () => {
  const entries = z.array(z.looseObject({ actor: z.looseObject({ id: z.string() }), area: z.string() }))
  const read = async (role: Role) => dataOf(await people[role].ask("/audit?per_page=100"), entries)

  test("fulfilment sees its own entries", async () => {
    const own = people.fulfilment.session.user.id
    expect(new Set((await read("fulfilment")).map(({ actor }) => actor.id))).toEqual(new Set([own]))
  })

  test("a manager sees own entries and the program's, not those of users and sessions", async () => {
    const own = people.manager.session.user.id
    const visible = await read("manager")
    expect(visible.every(({ actor, area }) => actor.id === own || area === "program")).toBe(true)
    expect(visible.some(({ actor }) => actor.id !== own)).toBe(true)
  })
})
