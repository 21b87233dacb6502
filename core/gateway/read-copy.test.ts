import { describe, expect, it } from "vitest"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { planById, parseResponse } from "./upstream-read.ts"

const odd = { success: true, data: madeUpMember("mem_1", { status: "dormant" }) }
const member = planById("GET /members/{member_id}", { member_id: "mem_1" })

function answer(body: unknown): UpstreamOutcome {
  return { kind: "answer", status: 200, body, ms: 1, endedAt: 1000 }
}

describe("an answer that came again", () => {
  const first = parseResponse(member, answer(odd), { askedAt: 1, answeredAt: 2 }, "screens")
  const again = parseResponse(member, answer(odd), { askedAt: 11, answeredAt: 12 }, "screens")

  it("is the same content at its own time", () => {
    expect(again.response.data).toBe(first.response.data)
    expect(again.response.views).toBe(first.response.views)
    expect(again.response).toMatchObject({ askedAt: 11, answeredAt: 12 })
    expect(first.response).toMatchObject({ askedAt: 1, answeredAt: 2 })
  })

  it("counts as another answer that differs from the document", () => {
    expect(first.drift).toMatchObject([{ field: "status", came: '"dormant"' }])
    expect(again.drift).toEqual(first.drift)
  })

  it("is read by itself for another question", () => {
    const other = planById("GET /members/{member_id}", { member_id: "mem_2" })
    expect(
      parseResponse(other, answer(odd), { askedAt: 1, answeredAt: 2 }, "screens").response.data,
    ).not.toBe(first.response.data)
  })
})
