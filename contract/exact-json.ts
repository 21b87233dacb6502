/** The digits of a number that JavaScript would round. A class, so that it is not copied like a record. */
export class ExactNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toJSON(): unknown {
    const make: unknown = Reflect.get(JSON, "rawJSON")
    return typeof make === "function" ? Reflect.apply(make, JSON, [this.digits]) : Number(this.digits)
  }

  toString(): string {
    return this.digits
  }
}

/** Matches numbers of more than 15 digits, and those with an exponent. */
const mayRound = /[:,[\s]-?(?:[\d.]{16,}|[\d.]+e)/i

/** Parses JSON; a number that cannot be kept exactly stays as its digits. @throws as `JSON.parse` */
export function parseExact(text: string): unknown {
  if (!mayRound.test(text)) return JSON.parse(text)
  return JSON.parse(text, exactReviver)
}

/** A reviver for `JSON.parse` that keeps such numbers; without source text access they are rounded. */
export function exactReviver(_: string, value: unknown, token?: { readonly source?: string }): unknown {
  const source = token?.source
  if (typeof value !== "number" || source === undefined) return value
  return sameNumber(source, String(value)) ? value : new ExactNumber(source)
}

/** Whether a number is unrounded: an integer beyond 2^53 may have been rounded in transit. */
export function isUnrounded(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

/** Whether a typed number passes through every browser and server without losing a digit. */
export function isLosslessNumber(text: string): boolean {
  const number = Number(text)
  if (!isUnrounded(number)) return false
  return !plainForm.test(text.trim()) || sameNumber(text.trim(), String(number))
}

const plainForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

function sameNumber(one: string, other: string): boolean {
  return plainNumber(one) === plainNumber(other)
}

/** Sign, digits without zeros at either end, and exponent: the same for every way to write a number. */
function plainNumber(text: string): string {
  const [, sign = "", integer = "", part = "", power = "0"] = plainForm.exec(text) ?? []
  const digits = (integer + part).replace(/^0+/, "")
  const short = digits.replace(/0+$/, "")
  return short === ""
    ? integer
    : `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`
}

/** Whether the number sent is the saved one, with every digit or rounded on its way. */
function isSame(sent: number | ExactNumber, saved: ExactNumber): boolean {
  return typeof sent === "number" ? sent === Number(saved.digits) : sameNumber(sent.digits, saved.digits)
}

/** `sent` with numbers that were only rounded restored from `saved`; `problems` gets the paths of others. */
export function restoreExact(sent: unknown, saved: unknown, place: string, problems: string[]): unknown {
  if (sent === null && saved instanceof ExactNumber && !Number.isFinite(Number(saved.digits))) {
    // A browser writes a number beyond its range as null: it is unknown whether it was emptied on purpose.
    problems.push(place)
    return saved
  }
  if (typeof sent === "number" || sent instanceof ExactNumber) {
    if (saved instanceof ExactNumber && isSame(sent, saved)) return saved
    const isSafe = typeof sent === "number" && isUnrounded(sent)
    if (!isSafe && sent !== saved) problems.push(place)
    return sent
  }
  if (typeof sent !== "object" || sent === null) return sent
  const inside = (name: string) =>
    typeof saved === "object" && saved !== null && Object.hasOwn(saved, name)
      ? Reflect.get(saved, name)
      : undefined
  if (Array.isArray(sent)) {
    return sent.map((item: unknown, at) => restoreExact(item, inside(String(at)), `${place}.${at}`, problems))
  }
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      restoreExact(value, inside(name), `${place}.${name}`, problems),
    ]),
  )
}
