import { IconClockHour4 } from "@tabler/icons-react"
import type { Member } from "../../../../contract/program/member.ts"
import type { Answer } from "../../../api/request.ts"
import { fullName } from "../../../lib/names.ts"
import { millis, shortDay } from "../../../lib/time.ts"
import { counted } from "../../../lib/format.ts"
import type { OpenTodo } from "./todo.ts"

/** "6 members are pending", with the one who waits longest of those that were read. */
export function pendingTodo({ data, meta }: Answer<Member[]>, now: number): OpenTodo | undefined {
  const total = meta?.total ?? data.length
  if (total === 0) return undefined
  const oldest = data
    .flatMap((member) => (member.created_at ? [{ member, at: millis(member.created_at) }] : []))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => one.at - other.at)[0]
  const more = meta?.total === undefined
  const of = total > data.length ? `Oldest of the ${data.length} read` : "Oldest"
  return {
    icon: IconClockHour4,
    tone: "grey",
    title: `${counted(total, "member", { more })} ${total === 1 && !more ? "is" : "are"} pending`,
    about: oldest === undefined ? "" : `${of} since ${shortDay(oldest.at, now)}: ${whoWords(oldest.member)}`,
    link: { to: "/members", search: { status: "pending" } },
    label: "Members",
  }
}

function whoWords(member: Member): string {
  return [fullName(member), member.company].filter(Boolean).join(", ")
}
