import { isCountryCode } from "./program/common.ts"

/** GS1 ends values of variable length with FNC1, which scanners send as a group separator. */
const fnc1 = "\u001D"

/** FNC1 as scanners and spreadsheets write it where they cannot keep it. */
const writtenFnc1 = /\u241D|<(?:GS|FNC1)>|\{(?:GS|FNC1)\}|\[(?:GS|FNC1)\]|\^\]|\|/gi

/** What scanners put before a code to say what barcode it is (ISO/IEC 15424), and those that say it holds GS1 data. */
const symbology = /^\][A-Za-z][0-9A-Za-z]/
const gs1Symbology = /^\](?:C1|e0|d2|Q3|J1)/

// oxlint-disable-next-line no-control-regex -- what scanners send around a code
const marksAround = /^[\s\u0000-\u001F\u007F]+|[\s\u0000-\u001F\u007F]+$/g

/** How an identifier begins, its length with all its digits, and the characters of its value: `n` digits, `x` any. */
type Identifier = readonly [begins: RegExp, digits: number, least: number, most: number, chars: "n" | "x"]

/** GS1 General Specifications, section 3.2. */
const identifiers: readonly Identifier[] = [
  [/^00/, 2, 18, 18, "n"],
  [/^0[123]/, 2, 14, 14, "n"],
  [/^1[1-9]/, 2, 6, 6, "n"],
  [/^20/, 2, 2, 2, "n"],
  [/^10|^2[12]/, 2, 1, 20, "x"],
  [/^235/, 3, 1, 28, "x"],
  [/^2[45][01]/, 3, 1, 30, "x"],
  [/^242/, 3, 1, 6, "n"],
  [/^243|^254/, 3, 1, 20, "x"],
  [/^253/, 3, 13, 30, "x"],
  [/^255/, 3, 13, 25, "n"],
  [/^3[07]/, 2, 1, 8, "n"],
  [/^3[1-6]\d/, 4, 6, 6, "n"],
  [/^39[0-5]/, 4, 1, 18, "n"],
  [/^40[013]/, 3, 1, 30, "x"],
  [/^402/, 3, 17, 17, "n"],
  [/^41[0-7]/, 3, 13, 13, "n"],
  [/^420/, 3, 1, 20, "x"],
  [/^421/, 3, 4, 12, "x"],
  [/^42[2-6]/, 3, 3, 15, "n"],
  [/^427/, 3, 1, 3, "x"],
  [/^43\d/, 4, 1, 70, "x"],
  [/^70[0-4]/, 4, 1, 30, "x"],
  [/^71\d/, 3, 1, 20, "x"],
  [/^72[34]/, 4, 1, 30, "x"],
  [/^80(?:06|17|18|26)/, 4, 18, 18, "n"],
  [/^8008/, 4, 8, 12, "n"],
  [/^80\d/, 4, 1, 90, "x"],
  [/^811|^820/, 4, 1, 70, "x"],
  [/^90/, 2, 1, 30, "x"],
  [/^9[1-9]/, 2, 1, 90, "x"],
]

/** Their values have one length each and end without FNC1 (section 7.8.5). */
const endsByLength = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/

/** How long values are, the likeliest first, whose FNC1 a scanner left out: postcodes, eParcel articles, USPS numbers. */
const lengthsWithoutFnc1: readonly (readonly [begins: RegExp, lengths: readonly number[]])[] = [
  [/^420/, [5, 9, 4, 6, 7, 3]],
  [/^91/, [20, 21, 23, 24]],
  [/^9[2-5]/, [20, 24]],
]

interface Element {
  readonly id: string
  readonly value: string
}

/** An eParcel article: a sender of 3 or 5 characters, 7 digits, a count, a product, a service and a check digit. */
const article = /^[A-Z\d]{3}(?:[A-Z\d]{2})?\d{16}[A-Z\d]\d$/i

/** The elements that are a parcel's number, the likeliest first. `sure`: nothing else is built like it. */
const numberElements: readonly {
  readonly sure: boolean
  readonly numberOf: (element: Element) => string | false
}[] = [
  // USPS, and who delivers with it: the identifier is part of the number.
  { sure: true, numberOf: ({ id, value }) => /^9[1-5](?:\d{20}|\d{24})$/.test(id + value) && id + value },
  { sure: true, numberOf: ({ id, value }) => id === "91" && article.test(value) && value },
  { sure: false, numberOf: ({ id, value }) => id === "91" && value.length >= 6 && value },
  // A serial shipping container code is tracked with its zeros.
  { sure: false, numberOf: ({ id, value }) => id === "00" && id + value },
  { sure: false, numberOf: ({ id, value }) => /^40[12]$/.test(id) && value },
]

/** Barcodes of carriers that are no GS1 data. The number is the first group, where its check digit is right. */
const carrierBarcodes: readonly (readonly [shape: RegExp, isRight: (number: string) => boolean])[] = [
  // FedEx Express and Ground: 34 digits, of which the last 12 are the tracking number.
  [/^(?:10|96)\d{20}(\d{12})$/, isFedEx],
]

/** The tracking number in a label's barcode; any other text as it is, without what a scanner puts around it. */
export function parcelNumber(text: string): string {
  const found = numberInLabel(text)
  if (found !== undefined) return parcelNumber(found)
  const bare = text.replaceAll(marksAround, "").replace(symbology, "").replaceAll(marksAround, "")
  return bare === text ? bare : parcelNumber(bare)
}

/** Whether a text is a label's barcode with a tracking number in it. */
export const isLabelBarcode = (text: string): boolean => numberInLabel(text) !== undefined

/** Characters of the longest barcode of a label, and of the shortest one that nothing marks as GS1 data. */
const barcodeLength = { most: 200, leastUnmarked: 26 }

function numberInLabel(text: string): string | undefined {
  if (text.length > barcodeLength.most) return undefined
  if (text.length < barcodeLength.leastUnmarked && ![fnc1, "]", "("].some((mark) => text.includes(mark)))
    return undefined
  const blank = text.replaceAll(/\s/g, "")
  const code = blank.startsWith(`${fnc1}]`) ? blank.slice(1) : blank
  const bare = code.replace(symbology, "")
  for (const [shape, isRight] of carrierBarcodes) {
    const number = shape.exec(bare.replaceAll(fnc1, ""))?.[1]
    if (number !== undefined && isRight(number)) return number
  }
  const hasGs1Mark = gs1Symbology.test(code) || bare.includes(fnc1) || bare.startsWith("(")
  const elements = elementsIn(bare.replaceAll(writtenFnc1, fnc1))
  if (elements === undefined || !(hasGs1Mark || elements.some(isOfLabel))) return undefined
  const number = numberAmong(elements, hasGs1Mark)
  // A number without other elements is no label.
  return number === bare.replaceAll(fnc1, "") ? undefined : number
}

/** What only a label has next to a parcel's number: its destination, or a GTIN. */
function isOfLabel({ id, value }: Element): boolean {
  return id === "420" || (id === "01" && isMod10(value))
}

function numberAmong(elements: readonly Element[], perhaps: boolean): string | undefined {
  for (const { sure, numberOf } of numberElements) {
    if (!sure && !perhaps) continue
    for (const element of elements) {
      const number = numberOf(element)
      if (number !== false) return number
    }
  }
  return undefined
}

/** The elements of GS1 data; undefined for any other text. */
function elementsIn(code: string): readonly Element[] | undefined {
  if (code.startsWith("(")) return bracketed(code)
  const read = new Map<number, readonly Element[] | undefined>()
  function from(at: number): readonly Element[] | undefined {
    if (at === code.length) return []
    if (code.startsWith(fnc1, at)) return from(at + 1)
    // Each place is read once, however many ways lead there.
    if (!read.has(at)) read.set(at, elementsAt(at))
    return read.get(at)
  }
  function elementsAt(at: number): readonly Element[] | undefined {
    const known = identifiers.find(([begins]) => begins.test(code.slice(at)))
    if (known === undefined) return undefined
    const [, digits, least, most, chars] = known
    const id = code.slice(at, at + digits)
    const begin = at + digits
    const end = code.indexOf(fnc1, begin)
    const rest = endsByLength.test(id) ? most : (end < 0 ? code.length : end) - begin
    const likely = end < 0 ? lengthsWithoutFnc1.find(([begins]) => begins.test(id))?.[1] : undefined
    const withLength = (length: number) => {
      const value = code.slice(begin, begin + length)
      const isValue = value.length === length && (chars === "n" ? /^\d+$/ : /^[!-~]+$/).test(value)
      if (length < least || length > most || !isValue) return undefined
      const others = from(begin + length)
      return others && [{ id, value }, ...others]
    }
    for (const length of likely ?? []) {
      const elements = withLength(length)
      if (elements !== undefined && numberAmong(elements, false) !== undefined) return elements
    }
    return withLength(rest)
  }
  return from(0)
}

/** `(01)99312650999998(91)…`, as it is printed below the bars. */
function bracketed(code: string): readonly Element[] | undefined {
  if (!/^(?:\(\d{2,4}\)[^()]+)+$/.test(code)) return undefined
  const parts = [...code.matchAll(/\((\d+)\)([^()]+)/g)]
  return parts.map(([, id = "", value = ""]) => ({ id, value: value.replaceAll(fnc1, "") }))
}

/** Unambiguous number formats with a check digit at the end; `RB123456785AU` has it before its country. */
const checked: readonly (readonly [shape: RegExp, isRight: (number: string) => boolean])[] = [
  [/^[A-Z]{2}\d{9}[A-Z]{2}$/, isPostal],
  [/^1Z[A-Z\d]{15}\d$/, isUps],
  [/^9[2-5]\d{20}$/, isMod10],
  // Digits alone may be another carrier's.
  [/^(?=\d*[A-Z])[A-Z\d]{3}(?:[A-Z\d]{2})?\d{16}[A-Z\d]\d$/, isMod10],
]

/** Whether a number is built like one with a check digit and has a wrong one: it was misread or mistyped. */
export function hasWrongCheckDigit(text: string): boolean {
  // A barcode has its own check, so the number in a label was read as printed.
  if (isLabelBarcode(text)) return false
  const number = text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase()
  const isRight = checked.find(([shape]) => shape.test(number))?.[1]
  return isRight !== undefined && !isRight(number)
}

/** Whether an eParcel article's check digit is right. */
export const isArticle = (number: string): boolean => article.test(number) && isMod10(number)

/** GS1's check digit: every other one counts threefold, and a letter as the last digit of its code. */
function isMod10(number: string): boolean {
  const digits = Array.from(number, (char) => (/\d/.test(char) ? Number(char) : char.charCodeAt(0) % 10))
  const last = digits.pop()
  const sum = digits.toReversed().reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10 === last
}

function isUps(number: string): boolean {
  const values = Array.from(number.slice(2), (char) =>
    /\d/.test(char) ? Number(char) : (char.charCodeAt(0) - 63) % 10,
  )
  const last = values.pop()
  const sum = values.reduce((total, value, at) => total + value * (at % 2 === 0 ? 1 : 2), 0)
  return (10 - (sum % 10)) % 10 === last
}

const postalWeights = [8, 6, 4, 2, 3, 5, 9, 7]

/** UPU S10; what ends like one without a country (TNT's `GE…WW`) has no check digit. */
function isPostal(number: string): boolean {
  if (!isCountryCode(number.slice(-2))) return true
  const sum = postalWeights.reduce((total, weight, at) => total + weight * Number(number[at + 2]), 0)
  const rest = 11 - (sum % 11)
  return Number(number[10]) === (rest === 10 ? 0 : rest === 11 ? 5 : rest)
}

const fedExWeights = [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1]

function isFedEx(number: string): boolean {
  const sum = fedExWeights.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  return (sum % 11) % 10 === Number(number[11])
}
