import { describe, expect, it } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"

const fresh = { headers: { "cache-control": "no-cache" } }
const asFirstSeen = { "if-match": `"${madeUpMember("mem_1").updated_at}"` }

function kitWithMembers() {
  const kit = createTestKit()
  const service = createMemberService([madeUpMember("mem_1"), madeUpMember("mem_2")])
  kit.upstream.serve(service.serve)
  const change = (fields: Readonly<Record<string, unknown>>) =>
    service.members.set("mem_1", madeUpMember("mem_1", fields))
  return { ...kit, change }
}

describe("the rows of a list that was read past the cache", () => {
  it("answer for their records, in their youngest form", async () => {
    const { ask, upstream, change } = kitWithMembers()
    await ask("GET /program/members", fresh)
    change({ company: "Later", updated_at: "later" })
    await ask("GET /program/members", fresh)
    expect((await ask("GET /program/members/mem_1")).body).toMatchObject({ data: { company: "Later" } })
    expect(upstream.lines()).toEqual(["GET /members", "GET /members"])
  })

  it("do not answer for a record that was written since", async () => {
    const { ask, change } = kitWithMembers()
    await ask("GET /program/members", fresh)
    await ask("PATCH /program/members/mem_1", { body: { company: "Mine" } })
    change({ company: "Theirs", updated_at: "later" })
    expect((await ask("GET /program/members/mem_1", fresh)).body).toMatchObject({
      data: { company: "Theirs" },
    })
  })

  it("are remembered as a person saw them, however often the list is read again", async () => {
    const { ask, change } = kitWithMembers()
    await ask("GET /program/members", fresh)
    change({ phone: "1", updated_at: "later" })
    await ask("GET /program/members", fresh)
    change({ phone: "2", updated_at: "later still" })
    await ask("GET /program/members", fresh)
    const edit = await ask("PATCH /program/members/mem_1", {
      body: { company: "Mine" },
      headers: asFirstSeen,
    })
    expect(edit.status).toBe(200)
  })
})
