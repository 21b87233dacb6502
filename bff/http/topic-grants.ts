import type { DeskEvent } from "../../contract/desk/event.ts"
import type { SessionUser } from "../../contract/desk/session.ts"
import { can, type Permission } from "../../contract/roles.ts"

/** What a person has to be allowed to hear of a topic; `own` is about oneself, `all` everybody may hear. */
const needed: Readonly<Record<DeskEvent["topic"], Permission | "own" | "all">> = {
  audit: "audit.read",
  budget: "status.read",
  cards: "cards.read",
  job: "jobs.read",
  member: "members.read",
  members: "members.read",
  names: "members.read",
  note: "notes.read",
  orders: "orders.read",
  session: "own",
  settings: "all",
  status: "status.read",
  users: "users.manage",
}

/** Whether `user` may hear of this event. */
export function mayHear(user: SessionUser, event: DeskEvent): boolean {
  const need = needed[event.topic]
  if (need === "all") return true
  return need === "own" ? event.id === user.id : can(user.role, need)
}
