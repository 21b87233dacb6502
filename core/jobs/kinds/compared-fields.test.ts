import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memberUpdateFields } from "../../../contract/kinds/member-update.ts"
import type { Values } from "./compared-fields.ts"
import { judgeMember } from "./member-update.ts"
import { judgeOrder, orderFields } from "./order-update.ts"

interface Sides<Field extends string> {
  readonly seen: Values<Field>
  readonly now: Values<Field>
  readonly wanted: Values<Field>
}

/** Sides whose fields are missing, or have one of these texts. */
function sidesOf<Value>(side: fc.Arbitrary<Value>) {
  return fc.record({ seen: side, now: side, wanted: side })
}

/** A field to change is neither as seen nor as wanted. */
function isForeign<Field extends string>(fields: readonly Field[], { seen, now, wanted }: Sides<Field>) {
  return fields.some(
    (field) =>
      wanted[field] !== undefined &&
      seen[field] !== undefined &&
      now[field] !== undefined &&
      now[field] !== seen[field] &&
      now[field] !== wanted[field],
  )
}

/** What is sent is each field whose value differs from the wanted one. */
function sendsWhatDiffers<Field extends string>(
  fields: readonly Field[],
  { now, wanted }: Sides<Field>,
  verdict: { readonly kind: "done" | "conflict" } | { readonly kind: "go"; readonly send: Values<Field> },
) {
  if (verdict.kind !== "go") return true
  return fields.every((field) => {
    const due = wanted[field] !== undefined && wanted[field] !== now[field]
    return verdict.send[field] === (due ? wanted[field] : undefined)
  })
}

/** The first values for which a rule does not hold; null if it holds for all that are tried. */
function counterexample<Value>(all: fc.Arbitrary<Value>, isRight: (value: Value) => boolean) {
  return fc.check(fc.property(all, isRight)).counterexample
}

describe("comparing an order before a change", () => {
  const text = fc.constantFrom("", "pending", "shipped", "0012", "DHL", "archived_by_partner")
  const sides = sidesOf(
    fc.record({ status: text, tracking_number: text, carrier: text }, { requiredKeys: [] }),
  )

  it("sends exactly the fields that differ from their wanted values", () => {
    expect(counterexample(sides, (all) => sendsWhatDiffers(orderFields, all, judgeOrder(all)))).toBeNull()
  })

  it("does not overwrite a field that someone else changed since it was seen", () => {
    expect(
      counterexample(sides, (all) => !isForeign(orderFields, all) || judgeOrder(all).kind === "conflict"),
    ).toBeNull()
  })
})

describe("comparing a member before a change", () => {
  const text = fc.constantFrom("", "Acme", "New", "active", "inactive")
  const names = { first_name: text, last_name: text, company: text, phone: text, status: text }
  const sides = sidesOf(fc.record(names, { requiredKeys: [] }))

  it("sends exactly the fields that differ from their wanted values", () => {
    expect(
      counterexample(sides, (all) => sendsWhatDiffers(memberUpdateFields, all, judgeMember(all))),
    ).toBeNull()
  })

  it("is a conflict exactly if a field to change is neither as seen nor as wanted", () => {
    expect(
      counterexample(
        sides,
        (all) => isForeign(memberUpdateFields, all) === (judgeMember(all).kind === "conflict"),
      ),
    ).toBeNull()
  })
})
