import { duplicates } from "../check/duplicates.ts"
import { outliers } from "../check/outliers.ts"
import { memberEmail, memberId, points, reason, reference } from "./fields.ts"
import type { Recipe, RowValues } from "./recipe.ts"
import { withMetadata } from "./metadata.ts"
import { sameText, theMember, whichMember } from "./member-of-row.ts"

/** One award: two rows with the same one are likely one award written twice. */
function normal(values: RowValues): string {
  return JSON.stringify([
    whichMember(values),
    values["points"],
    sameText(values["reason"]),
    sameText(values["reference"]),
  ])
}

/** Awards of points (contract/desk/job-rows.ts, `awardRow`). */
export const award: Recipe = {
  name: "award",
  fields: [memberId, memberEmail, points, reason, reference],
  metadata: true,
  oneOf: theMember,
  rules: [
    duplicates({ same: normal, fields: ["member_id", "email"], severity: "check" }),
    outliers("points"),
  ],
  who: whichMember,
  amount: "points",
  build: withMetadata,
  normal,
}
