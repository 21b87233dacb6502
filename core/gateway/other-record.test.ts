import { describe, expect, it } from "vitest"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createSandboxUpstream } from "../../src/demo/sandbox-upstream.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { policy } from "../policy.ts"

/** An app over a sandbox, and two of its members. */
function app() {
  const clock = createFakeClock()
  const sandbox = createSandbox({ members: 50, rateLimit: 0, giftcardRateLimit: 0, now: () => clock.now() })
  const kit = createTestKit({
    clock,
    upstream: createSandboxUpstream(sandbox, clock, 12_000),
    rateLimit: 1000,
  })
  const { members } = sandbox.store
  const [one, other] = [3, 4].map((index) => members.get(members.idAt(index)))
  if (one === undefined || other === undefined) throw new Error("The seed has no two members.")
  return { ...kit, sandbox, one, other }
}

const different = expect.stringContaining("a different record than requested")
const refused = { status: 502, body: { error: { code: "unreadable_answer", message: different } } }

function lie({ sandbox }: { readonly sandbox: Sandbox }, method: string, value: string, path?: string): void {
  sandbox.faults.add({ kind: "other-record", value, match: { method, ...(path !== undefined && { path }) } })
}

describe("a record with another id than requested", () => {
  it("is shown for no member, balance, ledger, reward, order or card", async () => {
    const { ask, sandbox, one, other } = app()
    const [reward, otherReward] = [...sandbox.store.rewards.values()]
    const [order, otherOrder] = sandbox.store.orders.all
    const [card, otherCard] = sandbox.store.cards.all
    for (const [path, value] of [
      [`/program/members/${one.id}`, other.id],
      [`/program/members/${one.id}/balance`, other.id],
      [`/program/members/${one.id}/transactions`, other.id],
      [`/program/rewards/${reward?.id}`, otherReward?.id],
      [`/program/orders/${order?.id}`, otherOrder?.id],
      [`/giftcard/cards/${card?.id}`, otherCard?.id],
    ] as const) {
      lie({ sandbox }, "GET", value ?? "")
      expect([path, await ask(`GET ${path}`)]).toMatchObject([path, refused])
      sandbox.faults.clear()
      expect([path, (await ask(`GET ${path}`)).status]).toEqual([path, 200])
    }
  })

  it.each(["missing-field", "null-field"] as const)(
    "is not believed when its id is missing (%s)",
    async (kind) => {
      const { ask, sandbox, one } = app()
      for (const [path, field] of [
        ["", "id"],
        ["/balance", "member_id"],
        ["/transactions", "member_id"],
      ] as const) {
        sandbox.faults.add({ kind, field })
        expect((await ask(`GET /program/members/${one.id}${path}`)).status).toBe(502)
        sandbox.faults.clear()
      }
    },
  )

  it("is not shown in place of the right record that was read before", async () => {
    const { ask, clock, sandbox, one, other } = app()
    await ask(`GET /program/members/${one.id}`)
    await clock.advance(40_000)
    lie({ sandbox }, "GET", other.id)
    const shown = await ask(`GET /program/members/${one.id}`)
    expect(shown).toMatchObject({ status: 200, body: { data: { id: one.id, email: one.email } } })
    expect(shown.headers).toMatchObject({ "X-Laurel-Stale-Reason": "unreadable_answer" })
  })

  it("has an e-mail that confirms no deletion, and deletes nothing", async () => {
    const { ask, sandbox, one, other } = app()
    lie({ sandbox }, "GET", other.id)
    for (const { email } of [other, one])
      expect(await ask(`DELETE /program/members/${one.id}`, { body: { email } })).toMatchObject(refused)
    expect(sandbox.requests.entries.filter(({ method }) => method === "DELETE")).toEqual([])
    expect(sandbox.store.members.get(one.id)).toBeDefined()
  })

  it("in the response to an edit proves nothing: the member is read back", async () => {
    const { ask, sandbox, one, other } = app()
    lie({ sandbox }, "PATCH", other.id)
    const edit = () => ask(`PATCH /program/members/${one.id}`, { body: { company: "Ruiz Air" } })
    expect(await edit()).toMatchObject({ status: 200, body: { data: { id: one.id, company: "Ruiz Air" } } })
    lie({ sandbox }, "GET", other.id)
    expect(await edit()).toMatchObject({ status: 504, body: { error: { code: "outcome_unknown" } } })
  })

  it("in the response to a deletion proves nothing: only a 204 or a read does", async () => {
    const { ask, sandbox, one, other } = app()
    lie({ sandbox }, "DELETE", other.id)
    const deletion = await ask(`DELETE /program/members/${one.id}`, { body: { email: one.email } })
    expect(deletion.status).toBe(204)
    expect(sandbox.store.members.get(one.id)).toBeUndefined()
    const reads = sandbox.requests.entries.filter(({ path }) => path.endsWith(one.id))
    expect(reads.map(({ method }) => method)).toEqual(["GET", "DELETE", "GET"])
  })

  it("makes a list that was narrowed to one member unusable", async () => {
    const { ask, sandbox } = app()
    sandbox.faults.add({ kind: "unknown-enum", field: "member_id", value: "mem_999" })
    const owner = sandbox.store.orders.all[0]?.memberId
    expect(await ask(`GET /program/orders?member_id=${owner}`)).toMatchObject(refused)
    expect((await ask("GET /program/orders")).status).toBe(200)
  })

  it("is compared for every path that names a record", () => {
    const named = policy.filter(({ kind, path }) => kind !== "job" && /\{\w+\}/.test(path))
    // Rankings carry no documented id, and a deletion no record.
    const without = named.filter(({ identifiedBy }) => identifiedBy === undefined).map(({ id }) => id)
    expect(without).toEqual(["DELETE /members/{member_id}", "GET /leaderboards/{leaderboard_id}/rankings"])
  })
})
