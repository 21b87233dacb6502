import type { JobKind } from "../../../contract/job.ts"
import type { KindRules } from "../job-kind.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { giftcard } from "./giftcard.ts"
import { memberCreate } from "./member-create.ts"
import { orderUpdate } from "./order-update.ts"
import { award, deduct } from "./points.ts"
import { redeem } from "./redeem.ts"

/** What each kind of job is. A new kind is a line here and a file beside it. */
export const kindRules: Readonly<Record<JobKind, KindRules>> = {
  award,
  deduct,
  "member-create": memberCreate,
  redeem,
  "order-update": orderUpdate,
  giftcard,
}

/** Whether a row may travel with others of its job. */
export function goesInBulk(job: Pick<JobRecord, "kind" | "mode">, row: Pick<RowRecord, "input">): boolean {
  return kindRules[job.kind].bulk?.takes(job, row) === true
}
