import { describe, expect, it, test } from "vitest"
import { catalogue, explainUpstream } from "./error-catalogue.ts"
import { hiddenValue, redact, visibleFields } from "./redaction.ts"
import { earlierUnknown, rowOutcomeMessages } from "./row-outcomes.ts"
import { can, grantOf, permissions, roleNeeded, roles } from "./roles.ts"

describe("the error catalogue", () => {
  it.each(
    catalogue.map(
      (entry) => [`${entry.api} ${entry.status} ${entry.code ?? "without a code"}`, entry] as const,
    ),
  )("%s is found again and speaks in whole sentences", (_name, entry) => {
    expect(explainUpstream(entry.api, entry.status, entry.code)).toBe(entry)
    for (const text of [entry.happened, entry.next]) expect(text).toMatch(/^[A-Z].*\.$/)
    expect(entry.title).not.toMatch(/[.!]$/)
  })

  it("answers for codes and statuses no document names", () => {
    expect(explainUpstream("giftcard", 409, "SOMETHING_NEW")?.status).toBe(409)
    expect(explainUpstream("program", 418, undefined)?.status).toBe(400)
    expect(explainUpstream("program", 504, undefined)?.status).toBe(500)
    expect(explainUpstream("program", 200, undefined)).toBeUndefined()
  })
})

test("outcomes say what holds for each kind, whatever came instead of a usable response", () => {
  const { history_lagging, looking, no_canary, not_found_there } = rowOutcomeMessages
  for (const words of [history_lagging, no_canary]) expect(words).not.toContain("award")
  // A card has no ledger; a row of a bulk request was sent.
  expect([looking, not_found_there].join(" ")).not.toMatch(/ledger|Nothing was sent/)
  expect([earlierUnknown, ...Object.values(rowOutcomeMessages)].join(" ")).not.toMatch(/(No|no) response/)
})

describe("the roles table", () => {
  it("gives an administrator everything, and no other role more", () => {
    for (const permission of Object.keys(permissions) as (keyof typeof permissions)[]) {
      expect(grantOf("admin", permission)).toBe("yes")
    }
  })

  it("names the least role that has a permission in full", () => {
    expect(roleNeeded("members.edit")).toBe("manager")
    expect(roleNeeded("members.delete")).toBe("admin")
    expect(can("viewer", "points.write")).toBe(false)
    // A viewer has it, too, and nothing else that they can do.
    expect(roleNeeded("ledger.read", "fulfilment")).toBe("manager")
  })

  it("shows a role listed fields and nothing the service adds later", () => {
    const member = {
      id: "m",
      first_name: "Ana",
      email: "a@b.example",
      phone: "1",
      metadata: {},
      tax_number: "9",
    }
    expect(redact("member", "fulfilment", member)).toEqual({ id: "m", first_name: "Ana" })
    expect(redact("member", "viewer", member)).toEqual({ id: "m", first_name: "Ana", email: "a@b.example" })
    expect(redact("member", "manager", member)).toEqual(member)
    const order = { order_id: "o", status: "shipped", shipping_address: { line1: "1 High St" } }
    expect(redact("order", "viewer", order)).toEqual({ order_id: "o", status: "shipped" })
    expect(redact("order", "fulfilment", order)).toEqual({ order_id: "o", status: "shipped" })
    expect(redact("order", "manager", order)).toEqual(order)
    expect(Object.keys(visibleFields.member).toSorted()).toEqual([...roles].toSorted())
  })

  it("shows undocumented fields inside a nested record to administrators only", () => {
    const order = {
      order_id: "o",
      status: "shipped",
      carrier: { name: "TNT", driver: "Ana" },
      fulfillment: { type: "digital", carrier: "TNT", delivered_at: { by: "Ana" }, pin: "9911", note: null },
    }
    const known = { order_id: "o", status: "shipped", fulfillment: { type: "digital", carrier: "TNT" } }
    expect(redact("order", "viewer", order)).toEqual(known)
    expect(redact("order", "fulfilment", order)).toEqual(known)
    expect(redact("order", "manager", order).fulfillment).toEqual({ ...order.fulfillment, pin: hiddenValue })
    expect(redact("order", "admin", order)).toEqual(order)
    expect(redact("order", "viewer", { order_id: "o", fulfillment: ["9911"] })).toEqual({ order_id: "o" })
    expect(redact("order", "viewer", { order_id: "o", fulfillment: { pin: "9911" } })).toEqual({
      order_id: "o",
    })
    // Shown as text for want of a better form, it is still a whole record.
    const repaired = { id: "m", first_name: '{"pin":"9911"}', as_sent: { first_name: { pin: "9911" } } }
    expect(redact("member", "fulfilment", repaired)).toEqual({ id: "m" })
  })
})
