import * as z from "zod/mini"
import { ExactNumber, isLosslessNumber, parseExact } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import { isStorable } from "../../contract/program/common.ts"

/** Types of metadata values. Editing a value keeps its type until another is selected. */
export const metadataKinds = ["text", "number", "yes-no", "nothing", "json"] as const
/** Type of a metadata value. */
export type MetadataKind = (typeof metadataKinds)[number]

/** One metadata key in the editor; `text` is the content of the value's field. */
export const metadataRow = z.object({ key: z.string(), kind: z.enum(metadataKinds), text: z.string() })
/** One row of the editor. */
export type MetadataRow = z.output<typeof metadataRow>

/** Metadata as rows, in the original order; empty if absent. */
export function rowsOf(metadata: Readonly<Record<string, unknown>> | null | undefined): MetadataRow[] {
  return Object.entries(metadata ?? {}).map(([key, value]) => rowOf(key, value))
}

function rowOf(key: string, value: unknown): MetadataRow {
  if (typeof value === "string") return { key, kind: "text", text: value }
  if (typeof value === "number" || value instanceof ExactNumber)
    return { key, kind: "number", text: JSON.stringify(value) }
  if (typeof value === "boolean") return { key, kind: "yes-no", text: value ? "yes" : "no" }
  if (value === null) return { key, kind: "nothing", text: "" }
  return { key, kind: "json", text: JSON.stringify(value, null, 2) }
}

function problemOf({ kind, text }: MetadataRow): string | null {
  if (text.length > limits.metadata.value) return `At most ${limits.metadata.value} characters.`
  if (!isStorable(text)) return "This value has a character that cannot be stored."
  if (kind === "number" && !isNumber(text))
    return "A number such as 12 or 3.5. For anything else choose Text under Advanced."
  if (kind === "number" && !isLosslessNumber(text))
    return "This number has too many digits to be kept exactly. Choose Text under Advanced to keep every digit."
  if (kind === "json" && parseJson(text) === undefined)
    return "This is not JSON yet. Check quotes and commas."
  return null
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text))
}

type JsonValue = string | number | boolean | null | ExactNumber | unknown[] | Record<string, unknown>

const jsonValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.instanceof(ExactNumber),
  z.array(z.unknown()),
  z.custom<Record<string, unknown>>((value) => typeof value === "object"),
])

function parseJson(text: string): JsonValue | undefined {
  try {
    return jsonValue.safeParse(parseExact(text)).data
  } catch {
    return undefined
  }
}

/** A row's value as displayed. */
export function rowText({ kind, text }: MetadataRow): string {
  return kind === "nothing" ? "Nothing" : text
}

function valueOf({ kind, text }: MetadataRow): JsonValue {
  if (kind === "number") return isLosslessNumber(text) ? Number(text) : new ExactNumber(text)
  if (kind === "yes-no") return text === "yes"
  if (kind === "nothing") return null
  return kind === "json" ? (parseJson(text) ?? null) : text
}

/** Metadata from rows without problems; see `metadataRows`. */
export function metadataOf(rows: readonly MetadataRow[]): Record<string, JsonValue> {
  return Object.fromEntries(rows.map((row) => [row.key, valueOf(row)]))
}

/**
 * Checks rows: keys are unique, values valid, at most 50 rows.
 * @param base the original rows; an unchanged row is never refused
 */
export function checkMetadataRows(
  ctx: z.core.ParsePayload<MetadataRow[]>,
  base: readonly MetadataRow[] = [],
): void {
  const rows = ctx.value
  const asCame = new Set(base.map((row) => JSON.stringify([row.key, row.kind, row.text])))
  const seen = new Map<string, number>()
  const say = (path: (string | number)[], message: string) =>
    ctx.issues.push({ code: "custom", path, message, input: rows })
  for (const [index, row] of rows.entries()) {
    const earlier = seen.get(row.key)
    const isTouched = !asCame.has(JSON.stringify([row.key, row.kind, row.text]))
    if (isTouched && row.key.trim() === "") say([index, "key"], "Enter a name, or remove the field.")
    else if (earlier !== undefined) say([index, "key"], `Field ${earlier + 1} has this name already.`)
    else if (isTouched && row.key.length > limits.metadata.key) {
      say([index, "key"], `At most ${limits.metadata.key} characters.`)
    } else if (isTouched && !isStorable(row.key))
      say([index, "key"], "This name has a character that cannot be stored.")
    if (earlier === undefined) seen.set(row.key, index)
    const problem = isTouched ? problemOf(row) : null
    if (problem !== null) say([index, "text"], problem)
  }
  if (rows.length > limits.metadata.keys) {
    say([], `At most ${limits.metadata.keys} fields; there are ${rows.length}.`)
  }
}

/** Validated rows of the editor. */
export const metadataRows = z.array(metadataRow).check((ctx) => checkMetadataRows(ctx))
