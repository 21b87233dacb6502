/**
 * Whether two values of a member's field are the same to a person: empty text and nothing are one, objects are
 * compared key by key.
 */
export function sameValue(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (typeof one !== "object" || typeof other !== "object") return one === other
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => sameValue(ownValue(one, name), ownValue(other, name)))
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

/** A field of an object, and nothing that every object inherits: a metadata key may be called `constructor`. */
export function ownValue(record: object, name: string): unknown {
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined
}
