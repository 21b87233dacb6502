import type { AwardMode, CreateJobBody } from "../../../contract/job.ts"
import type { Member } from "../../../contract/program/member.ts"
import { awardBody } from "../../../contract/program/points.ts"
import { plainText } from "../../../contract/program/common.ts"
import { limits } from "../../../contract/limits.ts"
import { readInteger } from "../../import/read-cell.ts"
import { metadataOf, metadataRow, metadataRows } from "../../forms/metadata-editor.tsx"
import { formatCount, formatPoints } from "../../lib/format.ts"
import * as z from "zod/mini"
import type { PointsAct } from "./points-search.ts"

/** Values of the drawer's fields. */
export const pointsValues = z.object({
  points: z.string(),
  reason: z.string(),
  reference: z.string(),
  metadata: z.array(metadataRow),
  mode: z.enum(["bulk", "single"]),
})
export type PointsValues = z.output<typeof pointsValues>

/** The parsed form values. */
export type PointsEntry = z.output<ReturnType<typeof pointsSchema>>

export const emptyPoints: PointsValues = { points: "", reason: "", reference: "", metadata: [], mode: "bulk" }

/** Why this many points must not be sent, if so. */
type RefusalOf = (points: number) => string | undefined

/** Reads points as a cell of a file is read; of two limits, the configured one is named. */
function readAmount(text: string, refusalOf: RefusalOf): { points: number } | { message: string } {
  const read = (max: number) => readInteger(text.trim(), ".", { min: limits.pointsMin, max })
  const unlimited = read(Infinity)
  const refusal = "problem" in unlimited ? undefined : refusalOf(Number(unlimited.value))
  if (refusal !== undefined) return { message: refusal }
  const reading = read(limits.pointsMax)
  return "problem" in reading ? { message: `${reading.problem}.` } : { points: Number(reading.value) }
}

/** The points of a text; NaN for one that the form refuses. */
export function readPoints(text: string, refusalOf: RefusalOf = () => undefined): number {
  const read = readAmount(text, refusalOf)
  return "points" in read ? read.points : Number.NaN
}

/** The form's schema (docs/api/program.md, Points). */
export function pointsSchema(refusalOf: RefusalOf) {
  return z.extend(pointsValues, {
    points: z.pipe(
      z.string().check(
        z.trim(),
        z.minLength(1, "Enter points."),
        z.refine(
          (typed) => !/^[-−–]/.test(typed),
          "Enter points without a minus. To take points away, deduct them.",
        ),
      ),
      z.pipe(
        z.transform((text: string, { issues }) => {
          const read = readAmount(text, refusalOf)
          if ("points" in read) return read.points
          issues.push({ code: "custom", message: read.message, input: text })
          return z.NEVER
        }),
        awardBody.shape.points,
      ),
    ),
    reason: awardBody.shape.reason,
    reference: plainText(Infinity),
    metadata: metadataRows,
  })
}

/**
 * Warns when more points are deducted than the `balance`; whether it may become negative is undocumented
 * (docs/open-points.md).
 */
export function overdraftWarning(balance: number | undefined, points: number): string | undefined {
  if (balance === undefined || !(points > balance)) return undefined
  return `Only ${formatPoints(balance)} points are available. The service decides whether more can be deducted.`
}

/** One row per member, and the sending mode. */
export function toJobBody(
  act: PointsAct,
  memberIds: readonly string[],
  entry: PointsEntry,
): Omit<CreateJobBody, "kind"> {
  const { points, reason, reference, metadata } = entry
  const rows = memberIds.map((member_id) => ({
    member_id,
    points,
    reason,
    ...(act === "award" && reference !== "" ? { reference } : {}),
    ...(act === "award" && metadata.length > 0 ? { metadata: metadataOf(metadata) } : {}),
  }))
  return act === "award" && memberIds.length > 1 ? { rows, options: { mode: sendingMode(entry) } } : { rows }
}

/**
 * References and metadata need single requests: a bulk request has no fields for them (docs/api/program.md, Bulk
 * award).
 */
export function sendingMode(entry: Pick<PointsEntry, "mode" | "reference" | "metadata">): AwardMode {
  return entry.reference.trim() === "" && entry.metadata.length === 0 ? entry.mode : "single"
}

export const actionLabels = {
  award: { verb: "Award", done: "awarded", to: "to" },
  deduct: { verb: "Deduct", done: "deducted", to: "from" },
} as const satisfies Readonly<Record<PointsAct, unknown>>

/** "500 points", "1 point". */
export function pointsText(points: number): string {
  return `${formatPoints(points)} ${points === 1 ? "point" : "points"}`
}

/** Button labels: "Award 500 points to Ana Silva", "Awarding 500 points to …". */
export function effectLabels(act: PointsAct, points: number, names: readonly string[]) {
  const { verb, to } = actionLabels[act]
  const what = Number.isSafeInteger(points) && points > 0 ? pointsText(points) : "points"
  const several = `${what} each ${to} ${formatCount(names.length)} members`
  const effect = names.length === 1 ? `${what} ${to} ${names[0]}` : several
  return { action: `${verb} ${effect}`, running: `${verb}ing ${effect}` }
}

const usualAwards = [100, 250, 500, 1000, 2500]

/** Suggested amounts: a few usual ones for an award, the full balance for a deduction. */
export function suggestedAmounts(act: PointsAct, balance = 0) {
  if (act === "award") return usualAwards.map((value) => ({ value, label: formatPoints(value) }))
  return balance > 0 ? [{ value: balance, label: `All ${formatPoints(balance)}` }] : []
}

/** A recipient of the drawer, as far as known. */
export interface Recipient {
  readonly id: string
  readonly name: string
  readonly member: Member | undefined
  readonly balance: number | undefined
  readonly error: Error | null
}
