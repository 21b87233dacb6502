/** Code and message of a service's error, as far as its body carries them. */
export interface ServiceError {
  readonly code: string | undefined
  readonly message: string | undefined
}

const codeForm = /^[A-Z][A-Z0-9_]{2,60}$/

/**
 * Reads an error body of either service: the documented `error.code` (docs/api/program.md, Errors), or, because the
 * gift-card service's shape is not documented (docs/api/giftcard.md, Not shown), a flat `code` or `errorCode`, the
 * entries of `errors`, or a string. A number is a code, too, and gives way to a word, because it often only repeats the
 * status. Nothing recognisable gives neither code nor message.
 */
export function readServiceError(body: unknown): ServiceError {
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

function fromText(text: string): ServiceError {
  return codeForm.test(text) ? { code: text, message: undefined } : { code: undefined, message: text }
}

/** Whether a body says that the request failed, whatever its status says (docs/api/program.md, Envelope). */
export function saysFailed(body: unknown): boolean {
  return typeof body === "object" && body !== null && "success" in body && body.success === false
}
