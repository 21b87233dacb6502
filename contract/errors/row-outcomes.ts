import type { RowOutcomeCode } from "../desk/job-rows.ts"

/** What a row's outcome means when the desk itself found it: what happened, what was not done, the next step. */
export const rowOutcomeWords: Readonly<Record<RowOutcomeCode, string>> = {
  already_member: "Somebody with this e-mail is a member already. Nothing was created.",
  awarded_twice: "The ledger shows this twice. Reverse the second one, or leave it.",
  card_not_found:
    "The service has no card with this row's reference, so none was issued. Send it again, or leave it.",
  card_unsure:
    "It cannot be told whether this card was issued: looking it up never came to an end. Look the reference up and decide.",
  changed_there: "Somebody else changed this meanwhile, so it was not touched. Look at both and decide.",
  conflict_unexplained:
    "The service refused with a conflict (409) and gave no reason, and it shows no card with this reference. No card was issued. Send it again, or leave it.",
  duplicate_in_job: "An earlier row of this job has the same e-mail. Nothing was created for this one.",
  earlier_card:
    "The template has a card with this reference already, which this row did not issue. No card was issued. Look at that card, or use another reference.",
  history_lagging:
    "The ledger does not show our other awards yet, so it cannot be told whether this one happened. Look at the member and decide.",
  key_taken:
    "Another row has this idempotency key already, and a key belongs to one request. No card was issued. Give this row another key, or none.",
  left_out: "Somebody left this row out while the job stood still. Nothing was sent.",
  history_unreadable:
    "The service's records could not be read for a long time, so it cannot be told whether this happened. Look at the member and decide.",
  left_to_person: "The ledger shows that this did not happen. Send it again, or leave it.",
  address_needed: "This reward is sent by post, so it needs an address. Nothing was redeemed.",
  matched_by_time:
    "No answer came. It was found by its time, not by a reference: the service cannot tell it from the member's own order of the same reward in that moment.",
  member_inactive: "The member is not active. Nothing was redeemed. Activate the member first.",
  not_enough_points: "The member does not have the points for this. Nothing was redeemed.",
  not_changed: "The order is as it was before: the change did not arrive. Send it again, or leave it.",
  not_taken:
    "The service answered, and the order does not show the change, or not all of it. Look at both and decide.",
  order_appeared:
    "An order that may be this one has appeared since it was sent. Nothing was sent again. Look at it and decide.",
  order_not_found: "The service has no such order. Nothing was changed.",
  order_unsure:
    "No answer came. The member's orders and ledger show something that may be this redemption, and it cannot be told for certain. Look at them and decide.",
  out_of_stock: "There are not so many pieces left. Nothing was redeemed.",
  redeemed_twice:
    "A second order of the same reward has appeared. Look at both, and cancel one at the service if it is too many.",
  reference_ambiguous:
    "The service says that several cards have this reference, so it cannot be told whether one of them is this row's. Look the reference up and decide.",
  reference_taken:
    "This reference is used for this card template already. No card was issued. For a second card, choose another reference.",
  reward_not_found: "The service has no such reward. Nothing was redeemed.",
  reward_inactive: "This reward is not offered any more. Nothing was redeemed.",
  looking: "No usable answer came. It is being looked up in the ledger and is not sent again before that.",
  member_ambiguous: "Several members have this e-mail. Nothing was sent. Name the member by id.",
  member_not_found: "No member has this e-mail. Nothing was sent. Correct it and try again.",
  no_control:
    "The ledger does not show it, and nothing of ours was answered since that would prove the ledger up to date. Look at the member and decide.",
  not_found_there: "The service has no such member. Nothing was sent.",
  owner_unknown:
    "The server that sent this stopped without saying how the call ended. Look at the member and decide.",
  pair_refused:
    "The service refused this amount of this template before, so it was not asked again. No card was issued. Choose another amount, or confirm that it is to be tried.",
  points_pending:
    "The member has points waiting for approval, which may be these. Look at the member and decide.",
  unmarked:
    "The batch code was switched off for this job, so the ledger cannot tell this award from another one. Look at the member and decide.",
  several_matches: "Several ledger entries carry this row's mark. Look at them and decide.",
}
