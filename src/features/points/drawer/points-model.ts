import type { CreateJobBody } from "../../../../contract/job.ts"
import { limits } from "../../../../contract/limits.ts"
import { awardBody } from "../../../../contract/program/points.ts"
import { plainText } from "../../../../contract/program/common.ts"
import {
  metadataOf,
  metadataRow,
  metadataRows,
  type MetadataRow,
} from "../../../forms/metadata/metadata-model.ts"
import { formatPoints } from "../../../lib/format.ts"
import * as z from "zod/mini"
import type { PointsAct } from "../points-search.ts"

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
  refusalOf: (points: number) => string | undefined = () => undefined,
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
export function jobBodyOf(act: PointsAct, memberIds: readonly string[], entry: PointsEntry): CreateJobBody {
  const { points, reason, reference, metadata } = entry
  const rows = memberIds.map((member_id) => ({
    member_id,
    points,
    reason,
    ...(act === "award" && reference !== "" ? { reference } : {}),
    ...(act === "award" && metadata.length > 0 ? { metadata: metadataOf(metadata) } : {}),
  }))
  return act === "award" && memberIds.length > 1
    ? { kind: act, rows, options: { mode: modeOf(entry) } }
    : { kind: act, rows }
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
