import { giftcardRow } from "../../contract/kinds/giftcard.ts"
import { memberUpdateRow } from "../../contract/kinds/member-update.ts"
import { memberMergeRow } from "../../contract/kinds/member-merge.ts"
import { orderReturnRow } from "../../contract/kinds/order-return.ts"
import { orderUpdateRow } from "../../contract/kinds/order-update.ts"
import { awardRow, deductRow } from "../../contract/kinds/points.ts"
import { redeemRow } from "../../contract/kinds/redeem.ts"
import { createMemberBody } from "../../contract/program/member.ts"

/** The schema of a row by kind of job, which the server applies. */
export const rowSchemas = {
  award: awardRow,
  deduct: deductRow,
  "member-create": createMemberBody,
  "member-update": memberUpdateRow,
  redeem: redeemRow,
  "order-update": orderUpdateRow,
  "member-merge": memberMergeRow,
  "order-return": orderReturnRow,
  giftcard: giftcardRow,
}
