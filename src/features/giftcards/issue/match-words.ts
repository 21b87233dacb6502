import type { Member } from "../../../../contract/program/member.ts"
import type { MemberSuggestions } from "../../../forms/member-picker.tsx"
import { fullName } from "../../../lib/names.ts"

/** Members that have exactly this e-mail; `looking` while it is not known whether there are any. */
export function matchOf(
  email: string,
  { members, answered }: Pick<MemberSuggestions, "members" | "answered">,
): readonly Member[] | "looking" {
  const wanted = email.trim().toLowerCase()
  const same = members.filter((member) => member.email?.toLowerCase() === wanted)
  return same.length > 0 || answered ? same : "looking"
}

/** Names under which a member's own fields may carry the account key. */
const keyFields = /^(?:external_?)?account_?(?:key|id|number|no)$/i

/** Whether a member's record shows this account key. No documented field has it, so silence says nothing. */
function showsKey({ metadata }: Member, key: string): boolean {
  return Object.entries(metadata ?? {}).some(([name, value]) => keyFields.test(name) && String(value) === key)
}

/** Who will be matched, or that somebody is created, in a title and a sentence. */
export function matchWords(same: readonly Member[], accountKey: string): { title: string; body: string } {
  const key = accountKey.trim()
  const [first] = same
  if (key !== "" && first !== undefined && showsKey(first, key)) {
    return {
      title: `${fullName(first)} has this account key and gets the card`,
      body: "The e-mail belongs to the same member. Checked just now.",
    }
  }
  if (key !== "") {
    const else_ =
      first === undefined
        ? "a new pending member is created: no one has this e-mail"
        : `${fullName(first)} gets it, by the e-mail`
    return {
      title: `A member with the account key “${key}” gets the card, if there is one`,
      body: `The account key is tried first, but Laurel can’t look it up. If no member has it, ${else_}.`,
    }
  }
  const tried = "The account key is tried first, then the e-mail. Checked just now."
  if (first === undefined) {
    return { title: "No member has this e-mail: a pending member will be created", body: tried }
  }
  if (same.length > 1) {
    return {
      title: `${same.length} members have this e-mail: the service picks one`,
      body: "Add an account key to choose which one.",
    }
  }
  const status =
    first.status?.toLowerCase() === "active" ? "" : ` The member is ${first.status ?? "unknown"}.`
  return { title: `${fullName(first)} has this e-mail and gets the card`, body: `${tried}${status}` }
}
