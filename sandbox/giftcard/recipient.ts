import type { MemberRecord } from "../store/records.ts"
import type { Call } from "../world.ts"
import type { IssueBody } from "./bodies.ts"

/** The member a card is for: matched by account key, else by e-mail; undefined if there is none. */
export function matchRecipient(call: Call, member: IssueBody["member"]): MemberRecord | undefined {
  const { members } = call.world.store
  const byKey = member.accountKey === undefined ? undefined : members.findByAccountKey(member.accountKey)
  return byKey ?? members.findByEmail(member.email)
}

/** Creates the Pending member a card is for. */
export function createRecipient(call: Call, member: IssueBody["member"]): MemberRecord {
  const { store, settings } = call.world
  const record: MemberRecord = {
    id: store.nextId("mem_", 8),
    email: member.email,
    first_name: member.firstname,
    last_name: member.lastname,
    company: null,
    phone: member.mobile ?? null,
    tier: "Bronze",
    status: settings.giftcardMemberStatus,
    metadata: {},
    created: call.clock,
    updated: call.clock,
    balance: 0,
    earned: 0,
    redeemed: 0,
    pending: 0,
    accountKey: member.accountKey ?? null,
  }
  store.members.put(record)
  store.record({ kind: "member-create", id: record.id, email: record.email, by: "giftcard" }, call.now)
  return record
}
