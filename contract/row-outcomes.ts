/** What a row's outcome means when Laurel itself found it: what happened, what was not done, the next step. */
export const rowOutcomeMessages = {
  already_member: "There’s already a member with this e-mail. Nothing was created.",
  awarded_twice: "The ledger shows this twice. Reverse the second one, or leave it.",
  balance_changed:
    "The member’s points have changed since you opened this. Nothing was moved. Check them and try again.",
  card_not_found:
    "The service has no card with this row’s reference, so none was issued. Send it again, or leave it.",
  card_unsure:
    "It isn’t known whether this card was issued: the lookup never finished. Look up the reference and decide.",
  changed_again: "It was changed once more, so nothing was overwritten. Compare both and decide again.",
  changed_there:
    "Someone else changed it in the meantime, so nothing was overwritten. Compare both and decide.",
  conflict_unexplained:
    "The service refused with a conflict (409) and gave no reason, and it shows no card with this reference. No card was issued. Send it again, or leave it.",
  duplicate_in_file: "The file has the same row further up, so this one wasn’t included. Nothing was sent.",
  duplicate_in_job: "An earlier row has the same e-mail. Nothing was created for this one.",
  earlier_card:
    "The template already has a card with this reference, which this row did not issue. No card was issued. Open that card, or use another reference.",
  found_after_restore:
    "The service already had this when Laurel checked after a restore. It was not sent again.",
  history_lagging:
    "The ledger doesn’t show Laurel’s other changes of this kind yet, so it isn’t known whether this one happened. Check the member and decide.",
  key_taken:
    "Another row has this idempotency key already, and a key belongs to one request. No card was issued. Give this row another key, or none.",
  left_out: "This row was left out while the job was paused. Nothing was sent.",
  history_unreadable:
    "The service’s records couldn’t be read for a long time, so it isn’t known whether this happened. Check the member and decide.",
  left_to_person: "The ledger shows that this did not happen. Send it again, or leave it.",
  address_needed: "This reward is sent by post, so it needs an address. Nothing was redeemed.",
  matched_by_time:
    "No usable response came. It was matched by time, not by reference: the service can’t tell it from the member’s own order of the same reward at that moment.",
  merge_crosses:
    "Another merge with one of these members isn’t finished. Nothing was moved. Settle that one first, then merge again.",
  merge_into_inactive:
    "The other member is inactive. Nothing was moved. Choose another, or activate them first.",
  merge_not_awarded:
    "The points were taken from this member, and the other one doesn’t have them yet. Settle the award: the merge then continues.",
  merge_not_deactivated:
    "The points have moved, but this member couldn’t be deactivated. Settle that: the merge then ends.",
  merged: "Merged: the points have moved, and the member is inactive.",
  not_enough_points: "The member doesn’t have enough points. Nothing was redeemed.",
  not_changed: "It is unchanged: the update didn’t arrive. Send it again, or leave it.",
  not_taken: "The service responded, but its record doesn’t show all of the change. Compare both and decide.",
  order_appeared:
    "A new order that may be this one has appeared since it was sent. Nothing was sent again. Check it and decide.",
  order_changed: "The order has changed since you opened it, so it wasn’t cancelled. Check it and try again.",
  order_not_found: "No order has this id. Nothing was changed.",
  order_without_points:
    "The order doesn’t show its member or its points, so they can’t be returned here. Nothing was cancelled.",
  order_unsure:
    "No usable response came. The member’s orders and ledger show something that may be this redemption, but it isn’t certain. Check them and decide.",
  redeemed_twice:
    "A second order of the same reward has appeared. Check both, and cancel one in the program’s dashboard if it’s a duplicate.",
  refused_together:
    "The service refused this award together with others. It’s being checked in the ledger and won’t be sent again before that.",
  reference_ambiguous:
    "The service says that several cards have this reference, so it cannot be told whether one of them is this row’s. Look the reference up and decide.",
  reference_taken:
    "This reference is used for this card template already. No card was issued. For a second card, choose another reference.",
  restore_looking:
    "Laurel’s data was restored from a backup, so this may already be done. It’s being looked up and won’t be sent before that.",
  restore_unsure:
    "Laurel’s data was restored from a backup, and it isn’t known whether this was already done. Nothing was sent. Check the records and decide.",
  price_changed:
    "The reward’s price has changed since it was shown. Nothing was redeemed. Check the price, then redeem it again.",
  return_no_member:
    "The order is cancelled, but its member no longer exists at the service. No points were returned.",
  return_not_seen:
    "The order is cancelled, and the ledger doesn’t show its points yet. The ledger may be late: check it before returning them.",
  return_pending:
    "The order is cancelled, and the member has points pending approval, which may be its points. Check them before returning any.",
  returned_before: "The points of this order are returned by another job already. Nothing was done.",
  returned_by_service: "The order is cancelled, and the service returned its points.",
  returned_twice:
    "The ledger shows points that came after Laurel’s award and may be the service’s own return. If they are, reverse the award on the order’s page.",
  several_returns:
    "The order is cancelled, and several ledger entries may be the return of its points. Choose which ones are.",
  reward_not_found: "No reward has this id. Nothing was redeemed.",
  looking: "No usable response came. It’s being looked up and won’t be sent again before that.",
  member_ambiguous: "Several members have this e-mail. Nothing was sent. Use the member id.",
  member_not_found: "No member has this e-mail. Nothing was sent. Correct it and try again.",
  no_canary: "It isn’t in the member’s ledger, but the ledger may be late. Check it before sending again.",
  member_gone:
    "No usable response came, and the member no longer exists at the service, so it isn’t known whether this happened. Check the records and decide.",
  not_found_there: "No member has this id. Nothing was done.",
  ledger_other_amount:
    "The ledger has an entry with this row’s batch code or reference, but with another amount. Nothing was sent again. Check it and decide.",
  other_amount:
    "Another amount was awarded before. Nothing was sent for this row. To award the difference or the whole amount, upload the row again and choose that.",
  corrected:
    "More was awarded before. The linked job deducts the difference, and nothing was sent for this row.",
  award_corrected:
    "The award was corrected after this reversal was made. Nothing was deducted for this row. Reverse the award again to deduct what is left of it.",
  not_reversed:
    "The earlier award is still there, because its reversal wasn’t carried out. Nothing was sent for this row.",
  owner_unknown:
    "The server that sent this recorded no result, and it isn’t known whether it has stopped. Check the member and decide.",
  pair_refused:
    "The service refused this amount for this template before, so it wasn’t sent again. No card was issued. Choose another amount, or confirm that you want to try it.",
  points_missing:
    "The order is cancelled, and the ledger shows that not all of its points were returned. Return what is missing, or leave it.",
  points_pending: "The member has points pending approval, which may be these. Check the member and decide.",
  unmarked:
    "Batch codes were off for this job, so the ledger can’t tell this award from another one. Check the member and decide.",
  several_matches: "Several ledger entries carry this row’s batch code. Check them and decide.",
  check_in_file: "This row needed a check in the file and wasn’t included. Nothing was sent.",
  excluded_by_person: "This row was left out by hand. Nothing was sent.",
  outlier_in_file: "Left out: unusually large or small for this file. Nothing was sent.",
  problem_in_file:
    "This row has a problem in the file. Nothing was sent. Correct the file and upload it again.",
  repeated_row:
    "An earlier job has the same row, so this one wasn’t included. Nothing was sent for it here. To include it, upload it again.",
} as const

/** A code of Laurel's own outcomes; a service's refusal keeps the service's code. */
export type RowOutcomeCode = keyof typeof rowOutcomeMessages

export function rowOutcome<Code extends RowOutcomeCode>(code: Code): { code: Code; message: string } {
  return { code, message: rowOutcomeMessages[code] }
}

export function isRowOutcomeCode(code: string): code is RowOutcomeCode {
  return Object.hasOwn(rowOutcomeMessages, code)
}

/** Of a row that was not done by its last attempt, while an earlier one is not known. */
export const earlierUnknown = "An earlier attempt had no usable response, so it may have happened then."
