import { forNames, memberDetailNames } from "../../contract/program/member-fields.ts"
import { iso, formatAbsentFields } from "../http.ts"
import type { SandboxSettings } from "../config.ts"
import type { MemberRecord, OrderRecord, TransactionRecord } from "../store/records.ts"

/** A member as the program API shows it. */
export function memberView(settings: SandboxSettings, member: MemberRecord): Record<string, unknown> {
  return formatAbsentFields(settings, {
    id: member.id,
    email: member.email,
    first_name: member.first_name,
    last_name: member.last_name,
    ...forNames(memberDetailNames, (name) => member[name]),
    points_balance: member.balance,
    tier: member.tier,
    status: member.status,
    metadata: member.metadata,
    created_at: iso(member.created),
    updated_at: iso(member.updated),
  })
}

/** A member's balance, in points. */
export function balanceView(member: MemberRecord): Record<string, unknown> {
  return {
    member_id: member.id,
    balance: member.balance,
    lifetime_earned: member.earned,
    lifetime_redeemed: member.redeemed,
    pending: member.pending,
  }
}

/** A ledger row as the history shows it. */
export function transactionView(settings: SandboxSettings, row: TransactionRecord): Record<string, unknown> {
  return formatAbsentFields(settings, {
    transaction_id: row.id,
    member_id: row.memberId,
    type: row.type,
    points: row.points,
    reason: row.reason,
    reference: row.reference,
    balance_after: row.balanceAfter,
    metadata: row.metadata,
    created_at: iso(row.created),
  })
}

/** A ledger row as the answer to an award or deduction: the balance has another name there. */
export function bookedView(settings: SandboxSettings, row: TransactionRecord): Record<string, unknown> {
  const { balance_after, ...rest } = transactionView(settings, row)
  return { ...rest, new_balance: balance_after }
}

/** An order as the list shows it, documented flat, or nested as elsewhere. The address and the quantity are never shown. */
export function orderView(
  settings: SandboxSettings,
  order: OrderRecord,
  place: "list" | "single" | "redeem",
) {
  const shape =
    settings.orderShape === "documented" ? (place === "list" ? "flat" : "nested") : settings.orderShape
  const parcel = { tracking_number: order.tracking, carrier: order.carrier }
  const code = settings.orderCode === "kept" || place === "redeem" ? order.code : null
  const fulfillment = formatAbsentFields(settings, {
    type: order.type,
    code,
    ...parcel,
    delivered_at: order.delivered && iso(order.delivered),
  })
  return formatAbsentFields(settings, {
    order_id: order.id,
    member_id: order.memberId,
    reward_id: order.rewardId,
    reward_name: order.rewardName,
    points_spent: order.points,
    status: order.status,
    ...(shape === "nested" ? {} : parcel),
    ...(shape === "flat" ? {} : { fulfillment }),
    created_at: iso(order.created),
    shipped_at: order.shipped && iso(order.shipped),
  })
}
