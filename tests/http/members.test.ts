import { afterAll, beforeAll, expect, test, vi } from "vitest"
import * as z from "zod/mini"
import { copyMeta } from "../../contract/copy.ts"
import { visibleFields } from "../../contract/redaction.ts"
import { type Role, roles } from "../../contract/roles.ts"
import { appStatus } from "../../contract/status.ts"
import { readEvents } from "../support/event-reader.ts"
import { dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const listed = z.object({ meta: copyMeta })
const rows = z.array(z.looseObject({ id: z.string() }))
let app: TestApp
let people: Record<Role, Person>

/** Waits for the first pass over the sandbox's 200 members, reading only what events announce, as a page does. */
beforeAll(async () => {
  app = await startApp({ env: { SYNC: "on" } })
  const [admin, manager, fulfilment, viewer] = await Promise.all([
    app.signIn("admin"),
    app.signIn("manager"),
    app.signIn("fulfilment"),
    app.signIn("viewer"),
  ])
  people = { admin, manager, fulfilment, viewer }
  const stream = await readEvents(app.url, manager)
  const announced = () => stream.events.filter(({ topic, id }) => topic === "copy" && id === "members").length
  // Once at first, as a page does: the pass may be over before the stream is open.
  let read = -1
  const isComplete = async () => {
    expect(announced()).toBeGreaterThan(read)
    read = announced()
    expect(listed.parse((await manager.ask("/members/facets")).body).meta.complete).toBe(true)
  }
  await vi.waitFor(isComplete, { timeout: 80_000, interval: 100 })
  stream.stop()
})
afterAll(() => app.close())

/** Requests to the services for people; those of the copy come at any time. */
async function requestsForPeople(): Promise<number> {
  const { budgets } = dataOf(await people.admin.ask("/status"), appStatus)
  return budgets.flatMap(({ minutes }) => minutes).reduce((sum, minute) => sum + minute.people, 0)
}

test("every member is listed, searched and counted without a request to the service", async () => {
  const { manager } = people
  const before = await requestsForPeople()
  const all = dataOf(await manager.ask("/members?per_page=1000&sort=-points_balance"), rows)
  expect(all).toHaveLength(200)
  const points = all.map(({ points_balance }) => Number(points_balance))
  expect(points).toEqual(points.toSorted((one, other) => other - one))
  const found = dataOf(await manager.ask("/members?search=ana+silva+coastal"), rows)
  expect(found).toMatchObject([{ first_name: "Ana", last_name: "Silva" }])
  const facets = dataOf(await manager.ask("/members/facets"), z.looseObject({ total: z.int() }))
  expect(facets.total).toBe(200)
  expect(await requestsForPeople()).toBe(before)
})

test.each(roles)("%s sees the same fields in the list and in the record", async (role) => {
  const shown = visibleFields.member[role]
  const list = dataOf(await people[role].ask("/members?per_page=100"), rows)
  const came = new Set(list.flatMap((member) => Object.keys(member)))
  expect(came.has("metadata")).toBe(shown === "all")
  expect([...came].filter((field) => shown !== "all" && !shown.includes(field))).toEqual([])
})

test("a member that was edited is found by what is new", async () => {
  const { manager } = people
  const [member] = dataOf(await manager.ask("/members?per_page=1"), rows)
  const body = { company: "Zephyr Refrigeration" }
  await manager.ask(`/program/members/${member?.id}`, { method: "PATCH", body })
  expect(dataOf(await manager.ask("/members?company=zephyr+refrigeration"), rows)).toMatchObject([
    { id: member?.id, ...body },
  ])
})
