import { describe, expect, it } from "vitest"
import type { UpstreamCall } from "../../core/ports.ts"
import { realClock } from "../../core/runtime.ts"
import { createSandbox } from "../../sandbox/app.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"

const list: UpstreamCall = {
  api: "program",
  method: "GET",
  path: "/members",
  query: new URLSearchParams({ per_page: "2" }),
}

/** An upstream over a small sandbox with one fault. */
function upstreamWith(fault?: FaultInput) {
  const sandbox = createSandbox({ members: 20, rateLimit: 0, giftcardRateLimit: 0 })
  if (fault !== undefined) sandbox.faults.add(fault)
  return { sandbox, upstream: createSandboxUpstream(sandbox, realClock, 50) }
}

describe("the way to the sandbox in the same tab", () => {
  it("answers with the body, the status and the service's own time", async () => {
    const { upstream } = upstreamWith()
    const outcome = await upstream.send(list)
    expect(outcome).toMatchObject({ kind: "answer", status: 200, serviceTime: expect.any(Number) })
    expect(outcome).toHaveProperty("body.data.length", 2)
  })

  it("passes a refusal on as an answer", async () => {
    const { upstream } = upstreamWith()
    const outcome = await upstream.send({
      ...list,
      path: "/members/mem_nobody",
      query: new URLSearchParams(),
    })
    expect(outcome).toMatchObject({ kind: "answer", status: 404, body: { error: { code: "not_found" } } })
  })

  it.each([
    ["drop-before", "no_answer"],
    ["drop-after", "no_answer"],
    ["unreachable", "not_sent"],
    ["hang", "no_answer"],
    ["html", "unreadable"],
    ["truncated", "unreadable"],
    ["empty", "unreadable"],
    ["before-commit-500", "answer"],
    ["429", "answer"],
  ] as const)("tells %s as %s", async (kind, expected) => {
    const { upstream } = upstreamWith({ kind })
    expect((await upstream.send(list)).kind).toBe(expected)
  })

  it("never lets a digital code further in", async () => {
    const { sandbox, upstream } = upstreamWith()
    const digital = sandbox.store.orders.all.find((order) => order.code !== null)
    expect(digital).toBeDefined()
    const path = `/orders/${digital?.id ?? ""}`
    const outcome = await upstream.send({ ...list, path, query: new URLSearchParams() })
    expect(outcome.kind).toBe("answer")
    expect(JSON.stringify(outcome)).not.toContain(digital?.code)
  })

  it("sends nothing when the call may not be written any more", async () => {
    const { sandbox, upstream } = upstreamWith()
    expect(await upstream.send({ ...list, mayWrite: () => false })).toMatchObject({ kind: "not_sent" })
    expect(sandbox.requests.count).toBe(0)
  })

  it("sends nothing for a request that was given up before", async () => {
    const { sandbox, upstream } = upstreamWith()
    const signal = AbortSignal.abort(new Error("left"))
    await expect(upstream.send({ ...list, signal })).rejects.toThrow("left")
    expect(sandbox.requests.count).toBe(0)
  })
})
