import { duplicates } from "../check/duplicates.ts"
import { outliers } from "../check/outliers.ts"
import { memberEmail, memberId, points, reason } from "./fields.ts"
import { sameText, theMember, whichMember } from "./member-of-row.ts"
import type { Recipe, RowValues } from "./recipe.ts"

/** One deduction: two rows with the same one are likely one deduction written twice. */
function normal(values: RowValues): string {
  return JSON.stringify([whichMember(values), values["points"], sameText(values["reason"])])
}

/** Deductions of points, written without a minus (contract/desk/job-rows.ts, `deductRow`). */
export const deduct: Recipe = {
  name: "deduct",
  fields: [memberId, memberEmail, points, reason],
  oneOf: theMember,
  rules: [
    duplicates({ same: normal, fields: ["member_id", "email"], severity: "check" }),
    outliers("points"),
  ],
  who: whichMember,
  amount: "points",
  build: (values) => values,
  normal,
}
