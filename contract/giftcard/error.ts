/** Code and message of a gift-card error, as far as the body carries them. */
export interface CardError {
  readonly code: string | undefined
  readonly message: string | undefined
}

const codeForm = /^[A-Z][A-Z0-9_]{2,60}$/

/**
 * Reads a gift-card error body, whose shape is not documented (docs/api/giftcard.md, Not shown): `error.code`, a flat
 * `code` or `errorCode`, the entries of `errors`, or a string. A number is a code, too, and gives way to a word, because
 * it often only repeats the status. Nothing recognisable gives neither code nor message.
 */
export function readCardError(body: unknown): CardError {
  if (typeof body === "string") return fromText(body)
  const outer = fieldsOf(body)
  const inner = fieldsOf(outer["error"])
  const listed = [inner["errors"], outer["errors"]].flatMap((list) => (Array.isArray(list) ? list : []))
  const bare = [outer["error"], ...listed].flatMap((one) => (typeof one === "string" ? fromText(one) : []))
  const places = [inner, outer, ...listed.map(fieldsOf)]
  const codes = places.flatMap(({ code, errorCode }) => [...codeOf(code), ...codeOf(errorCode)])
  codes.push(...bare.flatMap(({ code }) => code ?? []))
  const messages = [
    ...places.flatMap(({ message }) => (typeof message === "string" && message !== "" ? message : [])),
    ...bare.flatMap(({ message }) => message ?? []),
  ]
  return { code: codes.find((code) => !/^[\d.]+$/.test(code)) ?? codes[0], message: messages[0] }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function codeOf(value: unknown): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [String(value)] : []
  return typeof value === "string" && value !== "" ? [value] : []
}

function fromText(text: string): CardError {
  return codeForm.test(text) ? { code: text, message: undefined } : { code: undefined, message: text }
}
