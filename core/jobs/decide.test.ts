import { expect, it } from "vitest"
import { contextWith, fakeEngine } from "../../tests/support/fake-engine.ts"
import { rowOf } from "../../tests/support/job-records.ts"
import { checkResend } from "./decide.ts"
import { endWithoutProof } from "./instances.ts"

const settleMs = 1000
const row = rowOf({ state: "conflict", attempts: 1, owner: "other", sentAt: 90_000, leaseUntil: 98_000 })

const resendAt = (now: number, isOver: boolean, changes: Partial<typeof row> = {}) => {
  const engine = fakeEngine({ instances: { isOver: async () => isOver } })
  engine.now = now
  return checkResend(contextWith(engine, {}), { ...row, ...changes })
}

it("a person may resend a row a settle time after its call ended", async () => {
  const refused = {
    allowed: false,
    why_not: expect.stringMatching(/Check again in 1 s\. Nothing was done\.$/),
  }
  expect(await resendAt(98_999, false, { endedAt: 98_000 })).toEqual(refused)
  expect(await resendAt(98_999, true)).toEqual(refused)
  expect(await resendAt(99_000, true)).toEqual({ allowed: true, why_not: null })
})

it("a person may resend a row whose call has no proven end only when the engine may", async () => {
  const end = endWithoutProof(row, settleMs)
  expect(await resendAt(98_000 + 10 * settleMs, false)).toEqual({
    allowed: false,
    why_not:
      "Its last request may still be processed. Check again in 10 minutes. Sooner, if an administrator states under Settings, Status that the server that sent it is stopped. Nothing was done.",
  })
  expect((await resendAt(end - 1, false)).allowed).toBe(false)
  expect((await resendAt(end, true)).allowed).toBe(true)
})
