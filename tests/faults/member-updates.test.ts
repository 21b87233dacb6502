import { beforeEach, describe, expect, it } from "vitest"
import type { MemberRecord } from "../../sandbox/store/records.ts"
import { memberFaults } from "./fault-mix.ts"
import { digestAtOnce, worldTimes } from "./in-process.ts"
import { copyMembers, memberUpdateRows, missedMembers } from "./made-up-rows.ts"
import { createSandboxWorld } from "./orders/sandbox-world.ts"
import { createRandom } from "./random.ts"

beforeEach(digestAtOnce)

describe("200 changes of members with 10 % faults and 5 kills", () => {
  it("change every member to its target, and no other member", async () => {
    const random = createRandom(1)
    const world = createSandboxWorld({ members: 260 })
    const before: readonly MemberRecord[] = copyMembers(world.sandbox)
    const rows = memberUpdateRows(world.sandbox, 200, random)
    for (const fault of memberFaults(0.1, worldTimes)) world.sandbox.faults.add(fault)
    const state = await world.survive({ kind: "member-update", rows }, 5, 50, random)
    expect(state.counts).toMatchObject({ confirmed: 200 })
    expect(missedMembers(world.sandbox, before, rows)).toEqual([])
  })

  it("leave to a person every member that someone changed since the preview, and overwrite none", async () => {
    const random = createRandom(2)
    const world = createSandboxWorld({ members: 260 })
    const rows = memberUpdateRows(world.sandbox, 200, random, { byEmail: 0, expected: 1 })
    const { members } = world.sandbox.store
    const changed = rows.filter((_, at) => at % 10 === 3).map(({ member_id: id = "" }) => id)
    for (const id of changed) {
      const member = members.get(id)
      if (member !== undefined) members.put({ ...member, company: `Changed elsewhere ${id}` })
    }
    const before: readonly MemberRecord[] = copyMembers(world.sandbox)
    for (const fault of memberFaults(0.1, worldTimes)) world.sandbox.faults.add(fault)
    const state = await world.survive({ kind: "member-update", rows }, 5, 40, random)
    expect(state.counts).toMatchObject({ confirmed: 180, conflict: 20 })
    expect(missedMembers(world.sandbox, before, rows, new Set(changed))).toEqual([])
  })
})
