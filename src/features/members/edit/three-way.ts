import { type MetadataRow, rowText } from "../../../forms/metadata.ts"
import { sameValue } from "../../../lib/same-value.ts"
import type { EditValues } from "./edit-model.ts"

/** One field that both changed, to different values. */
export interface Clash {
  /** A field's name, or `metadata.` and a key. */
  readonly field: string
  readonly before: string
  readonly theirs: string
  readonly yours: string
}

/** Whose value a field gets. */
export type Choices = Readonly<Record<string, "theirs" | "yours">>

interface ThreeWays {
  /** As the form was opened. */
  readonly before: EditValues
  /** As the record is now. */
  readonly theirs: EditValues
  /** As it was typed. */
  readonly yours: EditValues
}

type Flat = Map<string, string | MetadataRow>

const prefix = "metadata."

function flat({ metadata, ...fields }: EditValues): Flat {
  const all: Flat = new Map(Object.entries(fields))
  for (const row of metadata) all.set(prefix + row.key, row)
  return all
}

function words(value: string | MetadataRow | undefined): string {
  if (value === undefined) return ""
  return typeof value === "string" ? value : rowText(value)
}

/** Fields that were changed on both sides to different values. Everything else merges by itself. */
export function clashesOf(ways: ThreeWays): Clash[] {
  const [before, theirs, yours] = [flat(ways.before), flat(ways.theirs), flat(ways.yours)]
  const fields = [...new Set([...theirs.keys(), ...yours.keys(), ...before.keys()])]
  return fields
    .filter((field) => {
      const [was, them, you] = [before.get(field), theirs.get(field), yours.get(field)]
      return !sameValue(was, them) && !sameValue(was, you) && !sameValue(them, you)
    })
    .map((field) => ({
      field,
      before: words(before.get(field)),
      theirs: words(theirs.get(field)),
      yours: words(yours.get(field)),
    }))
}

/** What both changed put together: a field that only one side changed takes that side, the others as chosen. */
export function mergeWays(ways: ThreeWays, choices: Choices): EditValues {
  const [before, theirs, yours] = [flat(ways.before), flat(ways.theirs), flat(ways.yours)]
  const pick = (field: string) => {
    const mine = !sameValue(before.get(field), yours.get(field))
    const other = !sameValue(before.get(field), theirs.get(field))
    if (mine && other) return choices[field] === "yours" ? yours.get(field) : theirs.get(field)
    return mine ? yours.get(field) : theirs.get(field)
  }
  const merged = { ...ways.theirs }
  for (const field of ["first_name", "last_name", "company", "phone"] as const) {
    const value = pick(field)
    if (typeof value === "string") merged[field] = value
  }
  const status = pick("status")
  if (status === "active" || status === "inactive" || status === "") merged.status = status
  const keys = new Set([...theirs.keys(), ...yours.keys()].filter((field) => field.startsWith(prefix)))
  merged.metadata = [...keys].flatMap((field) => {
    const row = pick(field)
    return row === undefined || typeof row === "string" ? [] : [row]
  })
  return merged
}
