/** Field names that are secret wherever they stand (docs/api/giftcard.md, Issue a card). */
const secretFields: ReadonlySet<string> = new Set(["redeemUrl"])

/**
 * Removes every redeem link and every digital code from an answer, in place, and returns it: `redeemUrl` at any
 * depth and `code` within `fulfillment`. An error's `code` stays. Called where an answer arrives, so that no
 * secret is ever held further in.
 */
export function dropSecrets(value: unknown): unknown {
  drop(value, false)
  return value
}

function drop(value: unknown, fulfilment: boolean): void {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) drop(item, fulfilment)
    return
  }
  for (const name of Object.keys(value)) {
    if (secretFields.has(name) || (fulfilment && name === "code")) Reflect.deleteProperty(value, name)
    else drop(Reflect.get(value, name), fulfilment || name === "fulfillment")
  }
}
