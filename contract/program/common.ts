import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { asComposed, asExact, asSearched } from "../typed-text.ts"

/** The assigned codes of ISO 3166-1 alpha-2, and `XK`, which posts and carriers use for Kosovo. */
export const countryCodes: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV
  BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES
  ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE
  IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU
  NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM
  SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE
  VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/)

const known: ReadonlySet<string> = new Set(countryCodes)

export function isCountryCode(text: string): boolean {
  return known.has(text)
}

/** Codes that people write for a country that has another one. */
const otherCodes: Readonly<Record<string, string>> = { UK: "GB", EL: "GR" }

/** The code of ISO 3166-1 that is meant by one that is often written instead of it: `GB` for `UK`. */
export function suggestedCountry(code: string): string | undefined {
  return otherCodes[code.toUpperCase()]
}

/** Why a text is not a country's code; undefined when it is one. */
export function countryProblem(code: string): string | undefined {
  if (isCountryCode(code)) return undefined
  const meant = suggestedCountry(code) ?? [code.toUpperCase()].find(isCountryCode)
  return meant === undefined
    ? "Choose a country: its code is one of ISO 3166-1, such as AU."
    : `“${code}” isn’t a country code. Use ${meant}.`
}

/** Countries whose addresses have no postcode; the program service requires one all the same. */
const withoutPostcodes: ReadonlySet<string> = new Set(
  `AE AG AO AW BF BI BJ BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GD GM GQ GY HK JM KI KM KP LY ML MO MR MW NR NU QA RW
   SB SC SL ST SY TD TG TK TL TO TV UG VU YE ZW`.split(/\s+/),
)

export function hasPostcodes(country: string): boolean {
  return !withoutPostcodes.has(country)
}

/** What is written as the postcode of a country that has none. */
export const noPostcode = "00000"

/** Position in a list (docs/api/program.md, Envelope). Present on members, transactions and rewards only. */
export const paginationMeta = z.looseObject({ page: z.int(), per_page: z.int(), total: z.int() })

/** Whether every half of a surrogate pair has its partner and there is no NUL: text that survives any store. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000")
}

/** Free-form data with every key as it came: a record schema would leave out one of the name `__proto__`. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { params: { expected: "record" } },
)

/** Whether a JSON value is nested at most `depth` levels and every text in it, names too, survives any store. */
export function isNestedStorable(value: unknown, depth: number): boolean {
  if (typeof value === "string") return isStorable(value)
  if (typeof value !== "object" || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([name, item]) => name !== "__proto__" && isStorable(name) && isNestedStorable(item, depth - 1),
  )
}

export const storable = z.refine<string>(
  isStorable,
  "This text has a character that cannot be stored. Delete it and type it again.",
)

/** An id of a service's, trimmed; `missing`: what to do without one. */
export function idText(missing?: string) {
  return z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(limits.shortText), storable)
}

/** Text that a person writes, with something in it, composed and trimmed, up to `max` characters. */
export function requiredText(what: string, max: number = limits.shortText) {
  return z
    .string()
    .check(
      asComposed,
      z.trim(),
      z.minLength(1, `Enter ${what}.`),
      z.maxLength(max, `At most ${max} characters.`),
      storable,
    )
}

/** Text that may be empty, trimmed, up to `max` characters: as a record has it. */
export function recordText(max: number = limits.shortText) {
  return z.string().check(z.trim(), z.maxLength(max, `At most ${max} characters.`), storable)
}

/** Text that a person writes and that may be empty, composed and trimmed, up to `max` characters. */
export function plainText(max: number = limits.shortText) {
  return z.string().check(asComposed, z.trim(), z.maxLength(max, `At most ${max} characters.`), storable)
}

/** A reference, number or phone in which every character counts; may be empty. */
export function exactField(max: number = limits.shortText) {
  return z.string().check(asExact, z.trim(), z.maxLength(max, `At most ${max} characters.`), storable)
}

/** What is searched for. */
export function searchText(max: number = limits.shortText) {
  return z.string().check(asSearched, z.trim(), z.maxLength(max))
}

export const paging = {
  page: z.optional(z.int().check(z.minimum(1))),
  per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.perPage.max))),
}

/** Parameters of a span of time, ISO 8601. */
export const timeSpan = {
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
}

/** A service's time in ms since 1970; undefined if it is not a time. */
export function timeOf(text: string | null | undefined): number | undefined {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}
