/**
 * Numbers that JavaScript would round are kept as their digits: such a value is what `JSON.rawJSON` makes of them, and
 * `JSON.stringify` writes it out as it came.
 */
interface RawNumber {
  readonly rawJSON: string
}

/** Where a number of more than 15 digits, or one with an exponent, may stand in a JSON text. */
const mayRound = /[:,[\s]-?(?:[\d.]{16,}|[\d.]+e)/i

/**
 * Parses JSON without rounding: a number that cannot be kept exactly stays as its digits.
 * @throws SyntaxError, RangeError as `JSON.parse`
 */
export function parseExact(text: string): unknown {
  if (!mayRound.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, token?: { readonly source?: string }) => {
    const source = token?.source
    if (typeof value !== "number" || source === undefined) return value
    return sameNumber(source, String(value)) ? value : rawNumber(source, value)
  })
}

/** Keeps the digits where the platform can; where it cannot, the number is what it always was. */
function rawNumber(source: string, value: number): unknown {
  const make: unknown = Reflect.get(JSON, "rawJSON")
  return typeof make === "function" ? Reflect.apply(make, JSON, [source]) : value
}

function isRaw(value: unknown): value is RawNumber {
  const test: unknown = Reflect.get(JSON, "isRawJSON")
  return typeof test === "function" && Reflect.apply(test, JSON, [value]) === true
}

function sameNumber(one: string, other: string): boolean {
  return plainNumber(one) === plainNumber(other)
}

/** Sign, digits without zeros at either end, and exponent: the same for every way to write a number. */
function plainNumber(text: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + part).replace(/^0+/, "")
  const short = digits.replace(/0+$/, "")
  return short === ""
    ? whole
    : `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`
}

/**
 * What was sent back of a value, with every number that was only rounded on its way to a browser and back as it stands in
 * the value itself.
 * @param place where it stands, for the problems
 * @param problems takes the places of numbers that cannot be kept exactly and are not those of the value
 */
export function restoreExact(sent: unknown, kept: unknown, place: string, problems: string[]): unknown {
  if (typeof sent === "number") {
    if (isRaw(kept) && sent === Number(kept.rawJSON)) return kept
    const isRounded = Number.isInteger(sent) && !Number.isSafeInteger(sent)
    if (isRounded && sent !== kept) problems.push(place)
    return sent
  }
  if (typeof sent !== "object" || sent === null) return sent
  const inside = (name: string) =>
    typeof kept === "object" && kept !== null && Object.hasOwn(kept, name)
      ? Reflect.get(kept, name)
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
