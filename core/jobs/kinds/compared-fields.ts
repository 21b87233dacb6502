import * as z from "zod/mini"
import { rowOutcome } from "../../../contract/row-outcomes.ts"
import {
  type FoundEffect,
  type JobContext,
  type Lookup,
  neverSentHere,
  type Precheck,
  unnamedSuccess,
} from "../job-kind.ts"
import type { RowRecord } from "../job-store.ts"

// For kinds that change fields of a record without a version: it is read right before sending, a change since the
// person saw it is a conflict, and only fields that differ are sent.

/** Empty text: no value. Missing: not sent by the service, or not to be changed. */
export type Values<Field extends string> = Readonly<Partial<Record<Field, string>>>

/** The record at the job's start, before the last send, and what was sent; the sides of a conflict. Null: cleared. */
export type ComparedNotes<Field extends string> = Readonly<
  Record<"seen" | "base" | "send" | "before" | "theirs" | "yours", Values<Field> | null> & {
    changed_by: { readonly name: string; readonly at: string } | null
  }
>

type Sides<Field extends string, Name extends string> = Readonly<Record<Name, Values<Field>>>
type Verdict<Field extends string> =
  { readonly kind: "done" | "conflict" } | { readonly kind: "go"; readonly send: Values<Field> }

/** What the rules of a kind say about one row and its record. */
interface ComparedRow<Field extends string> {
  readonly wanted: Values<Field>
  /** The record as the row expects it. */
  readonly seen: Values<Field>
  /** Reads the record now. Throws AppError. */
  readonly read: () => Promise<Values<Field>>
  /** The record in the audit log. */
  readonly on: { readonly kind: "order" | "member"; readonly id: string }
}

function pickFields<Field extends string>(
  fields: readonly Field[],
  valueOf: (field: Field) => string | undefined,
): Values<Field>
function pickFields(fields: readonly string[], valueOf: (field: string) => string | undefined) {
  const values = fields.map((field) => [field, valueOf(field)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

const savedSide = z.record(z.string(), z.nullish(z.string()))

/** What differs between the kinds. */
interface ComparedRules<Field extends string> {
  /** Which fields must be as seen: all of them, or those that the row changes. */
  readonly compares: "every field" | "changed fields"
  /** Whether a record that was read has what every record has. */
  readonly isComplete: (now: Values<Field>) => boolean
}

/** What follows from the values of a record, and from those that a row keeps. Pure. */
function comparisonOf<Field extends string>(
  fields: readonly Field[],
  compares: ComparedRules<Field>["compares"],
) {
  const pick = (valueOf: (field: Field) => string | undefined) => pickFields(fields, valueOf)
  const none = pick(() => undefined)
  /** Treats null as empty; unseen fields are missing. */
  const seenFields = (seen: Readonly<Partial<Record<Field, string | null | undefined>>>) =>
    pick((field) => (seen[field] === undefined ? undefined : (seen[field] ?? "")))

  function saved(
    { notes }: Pick<RowRecord, "notes">,
    name: Exclude<keyof ComparedNotes<Field>, "changed_by">,
  ): Values<Field> | undefined {
    const side = savedSide.safeParse(notes?.[name])
    if (!side.success) return undefined
    return pick((field) => (side.data[field] === undefined ? undefined : (side.data[field] ?? "")))
  }

  const isAtTarget = (wanted: Values<Field>, now: Values<Field>) =>
    fields.every((field) => wanted[field] === undefined || wanted[field] === now[field])

  const toSend = (wanted: Values<Field>, now: Values<Field>) =>
    pick((field) => (wanted[field] === now[field] ? undefined : wanted[field]))

  /** A field with neither its seen nor its wanted value was changed by someone else; unseen fields are not compared. */
  function judge({ seen, now, wanted }: Sides<Field, "seen" | "now" | "wanted">): Verdict<Field> {
    if (isAtTarget(wanted, now)) return { kind: "done" }
    const compared = fields.filter(
      (field) => seen[field] !== undefined && (compares === "every field" || wanted[field] !== undefined),
    )
    if (!compared.every((field) => [undefined, seen[field], wanted[field]].includes(now[field])))
      return { kind: "conflict" }
    return { kind: "go", send: toSend(wanted, now) }
  }

  /**
   * Classifies a record after a change without a usable response; `base` was read before `send` was sent. `not_done`:
   * each sent field has its old or its new value, but not all are new; `untold`: a sent field is missing.
   */
  function trace({ base, send, now, wanted }: Sides<Field, "base" | "send" | "now" | "wanted">) {
    if (isAtTarget(wanted, now)) return "done"
    const sent = fields.filter((field) => send[field] !== undefined)
    if (sent.some((field) => now[field] === undefined)) return "untold"
    const isAsBefore = sent.every((field) => now[field] === base[field] || now[field] === send[field])
    return isAsBefore ? "not_done" : "changed"
  }

  const sentBefore = (row: Pick<RowRecord, "notes">) => ({
    base: saved(row, "base") ?? none,
    send: saved(row, "send") ?? none,
  })

  /**
   * The expected state of the record: as seen at the decision of a conflict, else as read before an earlier attempt,
   * else as the row's maker saw it, else as at the start of the job.
   */
  function seenBefore(
    row: Pick<RowRecord, "notes">,
    expected: Readonly<Partial<Record<Field, string | null | undefined>>> | undefined,
  ): Values<Field> {
    return (
      saved(row, "theirs") ??
      saved(row, "base") ??
      (expected === undefined ? undefined : seenFields(expected)) ??
      saved(row, "seen") ??
      none
    )
  }

  return { pick, saved, isAtTarget, toSend, judge, trace, sentBefore, seenBefore }
}

/** Comparing, sending and looking up changes of these fields. */
export function comparedFields<Field extends string>(
  fields: readonly Field[],
  { compares, isComplete }: ComparedRules<Field>,
) {
  const comparison = comparisonOf(fields, compares)
  const { saved, isAtTarget, judge, trace, sentBefore } = comparison

  /** The sides of a conflict, and who made the other change if the audit log shows it. */
  async function conflictNotes(
    { store }: JobContext,
    { on, wanted }: Pick<ComparedRow<Field>, "on" | "wanted">,
    before: Values<Field>,
    theirs: Values<Field>,
  ) {
    const [last] = await store.audit.list({ ...on, outcome: "done", per_page: 1 }, {})
    const changed = fields.filter((field) => (before[field] ?? "") !== (theirs[field] ?? ""))
    // Only if the entry explains all differences: other systems may also have changed the record.
    const explains = changed.every((name) =>
      last?.changes.some(({ field, to }) => field === name && (to ?? "") === (theirs[name] ?? "")),
    )
    const changed_by = last !== undefined && explains ? { name: last.actor.name, at: last.at } : null
    return { base: null, send: null, before, theirs, yours: wanted, changed_by }
  }

  /** The precheck's result for a record that someone changed since it was seen. */
  async function conflict(
    context: JobContext,
    row: RowRecord,
    of: Pick<ComparedRow<Field>, "on" | "wanted" | "seen">,
    now: Values<Field>,
  ): Promise<Precheck<ComparedNotes<Field>>> {
    const notes = await conflictNotes(context, of, of.seen, now)
    const isRepeated = saved(row, "theirs") !== undefined
    return { kind: "conflict", outcome: rowOutcome(isRepeated ? "changed_again" : "changed_there"), notes }
  }

  /** Looks up a change without a usable response. `effect`: the change in a record that shows it. Throws AppError. */
  async function lookUp(
    context: JobContext,
    row: RowRecord,
    of: ComparedRow<Field>,
    effect: (now: Values<Field>) => FoundEffect,
  ): Promise<Lookup<ComparedNotes<Field>>> {
    const { wanted, read } = of
    const restored = neverSentHere(row)
    let now = await read()
    if (restored !== undefined) return afterRestore(context, of, now, restored.sample, effect)
    const sides = { ...sentBefore(row), wanted }
    let found = trace({ ...sides, now })
    if (found === "changed" || found === "untold") {
      now = await read()
      found = trace({ ...sides, now })
    }
    // The service answered with success but did not apply all fields: a resend would change nothing.
    const isNotApplied = found === "not_done" && row.endedHow === unnamedSuccess
    if (found === "changed" || isNotApplied) {
      const notes = await conflictNotes(context, of, sides.base, now)
      return { kind: "changed", notes, ...(isNotApplied && { code: "not_taken" }) }
    }
    return { kind: "read", complete: found !== "untold", found: found === "done" ? [effect(now)] : [] }
  }

  /** At its target the row was done, as seen it was not, and without a seen state a person decides. */
  async function afterRestore(
    context: JobContext,
    of: ComparedRow<Field>,
    now: Values<Field>,
    sample: boolean,
    effect: (now: Values<Field>) => FoundEffect,
  ): Promise<Lookup<ComparedNotes<Field>>> {
    const { wanted, seen } = of
    const wasSeen = fields.every((field) => wanted[field] === undefined || seen[field] !== undefined)
    // A sample proves nothing if the record was at its target before.
    const isProof = !sample || (wasSeen && !isAtTarget(wanted, seen))
    if (isAtTarget(wanted, now)) return { kind: "read", complete: true, found: isProof ? [effect(now)] : [] }
    if (sample || !isComplete(now)) return { kind: "read", complete: false, found: [] }
    const isConflict = judge({ seen, now, wanted }).kind === "conflict"
    if (wasSeen && !isConflict) return { kind: "read", complete: true, found: [] }
    const notes = await conflictNotes(context, of, seen, now)
    return { kind: "changed", notes, ...(!isConflict && { code: "restore_unsure" }) }
  }

  return { ...comparison, conflict, lookUp }
}
