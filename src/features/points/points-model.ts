import type { CreateJobBody } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import { awardBody } from "../../../contract/program/points.ts"
import { plainText } from "../../../contract/program/common.ts"
import { metadataOf, metadataRow, type MetadataRow, metadataRows } from "../../forms/metadata.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import * as z from "zod/mini"
import type { PointsAct } from "./points-search.ts"

/** What the drawer's fields hold. */
export const pointsValues = z.object({
  points: z.string(),
  reason: z.string(),
  reference: z.string(),
  metadata: z.array(metadataRow),
  mode: z.enum(["bulk", "single"]),
})
/** What the drawer's fields hold. */
export type PointsValues = z.output<typeof pointsValues>

/** What is sent of them. */
export interface PointsEntry {
  readonly points: number
  readonly reason: string
  readonly reference: string
  readonly metadata: readonly MetadataRow[]
  readonly mode: "bulk" | "single"
}

/** An empty form. */
export const emptyPoints: PointsValues = {
  points: "",
  reason: "",
  reference: "",
  metadata: [],
  mode: "bulk",
}

/**
 * Points as a person types them, with or without grouping. NaN for everything else.
 */
export function readPoints(text: string): number {
  const typed = text.trim()
  return /^(\d+|\d{1,3}([,\u00A0\u202F ]\d{3})+)$/.test(typed)
    ? Number(typed.replaceAll(/[^\d]/g, ""))
    : Number.NaN
}

/**
 * The form's rules (docs/api/program.md, Points).
 * @param most points a deduction can take at most, as far as it is known
 * @param refusalOf why so many points may not be sent; undefined when they may
 */
export function pointsSchema(
  most: number | undefined,
  refusalOf: (points: number) => string | undefined,
): z.ZodMiniType<PointsEntry, PointsValues> {
  const enough = z.refine<number>(
    (points) => most === undefined || points <= most,
    most === undefined ? "" : `Only ${formatPoints(most)} points are available.`,
  )
  return z.object({
    points: z.pipe(
      z.string().check(z.trim(), z.minLength(1, "Enter points.")),
      z.pipe(
        z.transform(readPoints),
        awardBody.shape.points.check(enough, ({ value, issues }) => {
          const message = refusalOf(value)
          if (message !== undefined) issues.push({ code: "custom", message, input: value })
        }),
      ),
    ),
    reason: awardBody.shape.reason,
    reference: plainText(limits.reference),
    metadata: metadataRows,
    mode: z.enum(["bulk", "single"]),
  })
}

/** One row for each member, and how they are sent. */
export function jobBodyOf(
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
  return act === "award" && memberIds.length > 1 ? { rows, options: { mode: modeOf(entry) } } : { rows }
}

/**
 * A reference and metadata go with single awards only: a bulk request has no place for them (docs/api/program.md, Bulk
 * award).
 */
export function modeOf({
  mode,
  reference,
  metadata,
}: Pick<PointsEntry, "mode" | "reference" | "metadata">): "bulk" | "single" {
  return reference.trim() === "" && metadata.length === 0 ? mode : "single"
}

/** "500 points", "1 point". */
export function pointsText(points: number): string {
  return `${formatPoints(points)} ${points === 1 ? "point" : "points"}`
}

/**
 * The effect, as on the button and while it runs: "Award 500 points to Ana Silva", "Awarding 500 points to …".
 * @param points NaN while nothing that counts is typed
 */
export function effectLabels(act: PointsAct, points: number, names: readonly string[]) {
  const what = Number.isSafeInteger(points) && points > 0 ? pointsText(points) : "points"
  const whom = names.length === 1 ? names[0] : `${formatCount(names.length)} members`
  const effect = `${what}${names.length > 1 ? " each" : ""} ${act === "award" ? "to" : "from"} ${whom}`
  return act === "award"
    ? { action: `Award ${effect}`, running: `Awarding ${effect}` }
    : { action: `Deduct ${effect}`, running: `Deducting ${effect}` }
}

const usualAwards = [100, 250, 500, 1000, 2500]

/**
 * Amounts that a click fills in: a few usual ones for an award, all there is for a deduction.
 * @param balance of the one member; undefined for several, and while it is not known
 */
export function suggestedAmounts(act: PointsAct, balance: number | undefined) {
  if (act === "award") return usualAwards.map((points) => ({ points, label: formatPoints(points) }))
  return balance !== undefined && balance > 0
    ? [{ points: balance, label: `All ${formatPoints(balance)}` }]
    : []
}

/** A member the drawer is about, as far as they are known. */
export interface Recipient {
  readonly id: string
  /** The name, or the id until it is known. */
  readonly name: string
  readonly member: Member | undefined
  /** Points available; undefined while they are not known. */
  readonly balance: number | undefined
  readonly error: Error | null
}
