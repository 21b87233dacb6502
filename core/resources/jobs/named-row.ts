import { memberReader } from "../../../contract/program/member.ts"
import type { DeskContext } from "../../context.ts"
import { memberLabel } from "../../jobs/kinds/service-reads.ts"
import type { RowRecord } from "../../jobs/job-store.ts"
import { memberPlan } from "../../members/member-write.ts"

/** The row with its member's name as far as the cache knows it: a name is not worth a request. */
export function namedRow({ reads }: Pick<DeskContext, "reads">, row: RowRecord): RowRecord {
  if (row.label !== null || row.memberId === null) return row
  const response = reads.cached(memberPlan(row.memberId))
  const member = response === undefined ? undefined : memberReader.tolerant.safeParse(response.data)
  return member?.success === true ? { ...row, label: memberLabel(member.data) } : row
}
