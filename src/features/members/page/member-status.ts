import { settableMemberStatuses, type Member } from "../../../../contract/program/member.ts"

/** A status that can be set. */
export type SettableStatus = (typeof settableMemberStatuses)[number]

/** The status as one that can be set, or null where it is one that can only be read (`pending`, unlisted). */
export function settableStatusOf({ status }: Pick<Member, "status">): SettableStatus | null {
  // Case does not matter: the gift-card service writes with a capital.
  return settableMemberStatuses.find((each) => each === status?.toLowerCase()) ?? null
}

/** The status that one click sets: an active member can be deactivated, every other one activated. */
export function otherStatus(member: Pick<Member, "status">): SettableStatus {
  return settableStatusOf(member) === "active" ? "inactive" : "active"
}
