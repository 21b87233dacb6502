import { expect, it } from "vitest"
import { createDeskKit } from "../../../tests/support/desk-kit.ts"
import type { FakeEnd } from "../../../tests/support/fake-upstream.ts"
import { madeUpMember } from "../../../tests/support/made-up-members.ts"
import { createMemberService } from "../../../tests/support/member-service.ts"

const hung: FakeEnd = { kind: "no_answer", what: "no answer in time" }
const bo = { email: "bo@dealer.test", first_name: "Bo", last_name: "Ek" }

function kit(members = [madeUpMember("mem_1")]) {
  const service = createMemberService(members)
  const desk = createDeskKit()
  desk.upstream.serve(service.serve)
  const create = (body: unknown = bo) => desk.ask("POST /program/members", { role: "manager", body })
  const log = () => desk.store.audit.list({ per_page: 10 }, {})
  const posts = () => desk.upstream.calls.filter(({ method }) => method === "POST").length
  return { ...desk, service, create, log, posts }
}

it("looks the e-mail up, then creates", async () => {
  const { create, upstream, log } = kit()
  expect(await create()).toMatchObject({ status: 201, body: { data: { email: "bo@dealer.test" } } })
  expect(upstream.lines()).toEqual([
    "GET /members?page=1&per_page=100&search=bo%40dealer.test",
    "POST /members",
  ])
  expect(await log()).toMatchObject([
    { action: "member.create", outcome: "done", on: { kind: "member", label: "Bo Ek" } },
  ])
})

it("creates nobody twice, whatever the case of the e-mail, and names who is there", async () => {
  const { create, posts } = kit()
  expect(await create({ ...bo, email: "MEM_1@Dealer.test" })).toMatchObject({
    status: 409,
    body: { error: { code: "conflict", details: { member_id: "mem_1" } } },
  })
  expect(posts()).toBe(0)
})

it("reads every page of the search, and takes only the exact e-mail", async () => {
  const many = Array.from({ length: 130 }, (_, at) =>
    madeUpMember(`m${at}`, { email: `x${at}.bo@dealer.test` }),
  )
  const { create, upstream } = kit([...many, madeUpMember("mem_9", { email: "bo@dealer.test" })])
  expect(await create()).toMatchObject({ status: 409, body: { error: { details: { member_id: "mem_9" } } } })
  expect(upstream.calls).toHaveLength(2)
})

it("sends two people's creation of one e-mail one after the other: the second finds the first", async () => {
  const { create, posts } = kit()
  const answers = await Promise.all([create(), create()])
  expect(answers.map(({ status }) => status)).toEqual([201, 409])
  expect(posts()).toBe(1)
})

it("finds a member that was created without an answer", async () => {
  const { create, service, posts } = kit()
  service.trouble = { end: hung, carriedOut: true }
  expect(await create()).toMatchObject({ status: 201, body: { data: { email: "bo@dealer.test" } } })
  expect(posts()).toBe(1)
})

it("says that it is not known when nobody is found after two looks", async () => {
  const { create, service, clock, log, upstream } = kit()
  service.trouble = { end: { status: 500, body: {} }, carriedOut: false }
  const creating = create()
  await clock.advance(2000)
  expect(await creating).toMatchObject({ status: 504, body: { error: { code: "outcome_unknown" } } })
  expect(upstream.lines().filter((line) => line.startsWith("GET"))).toHaveLength(3)
  expect(await log()).toMatchObject([{ outcome: "unknown" }])
})

it("shows both when two members of one e-mail are found", async () => {
  const { create, service, upstream } = kit()
  service.trouble = { end: hung, carriedOut: true }
  upstream.serve((call) => {
    // Somebody outside creates the same one at the same moment.
    if (call.method === "POST") service.members.set("mem_x", madeUpMember("mem_x", { email: bo.email }))
    return service.serve(call)
  })
  expect(await create()).toMatchObject({
    status: 409,
    body: { error: { code: "conflict", details: { member_ids: ["mem_x", "mem_new_1"] } } },
  })
})

it("sends nothing when the look-up fails", async () => {
  const { create, service, posts } = kit()
  service.readTrouble = { kind: "unreadable", status: 200, what: "a web page" }
  expect((await create()).status).toBe(502)
  expect(posts()).toBe(0)
})
