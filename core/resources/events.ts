import type { DeskEvent } from "../../contract/status.ts"
import type { SessionUser } from "../../contract/users.ts"
import { grantOf, type Permission } from "../../contract/roles.ts"
import type { JobStore } from "../jobs/job-store.ts"
import { seesJob } from "./jobs/job-rights.ts"

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

/**
 * What `user` may hear of an event: the event, the event without an id that is not theirs to know, or nothing
 * (roles table: which jobs and audit entries a role sees).
 * @param jobs finds the job of an event, for roles that see some jobs only
 */
export async function eventVisibleTo(
  user: SessionUser,
  event: DeskEvent,
  jobs: Pick<JobStore, "get">,
): Promise<DeskEvent | undefined> {
  const need = needed[event.topic]
  if (need === "all") return event
  if (need === "own") return event.id === user.id ? event : undefined
  const grant = grantOf(user.role, need)
  if (grant === "no") return undefined
  if (event.topic === "audit" && grant !== "yes") return { ...event, id: "" }
  if (event.topic === "job" && grant === "own-orders") {
    const job = await jobs.get(event.id)
    return job !== undefined && seesJob(user, job) ? event : undefined
  }
  return event
}
