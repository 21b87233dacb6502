import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Session } from "../../contract/desk/session.ts"
import type { Job } from "../../contract/desk/job.ts"
import { jobPermission } from "../../contract/desk/job-permission.ts"
import type { Grant, Permission } from "../../contract/roles.ts"
import { sessionQuery } from "./session.ts"

/**
 * Who is signed in. Only for what stands inside the desk, whose route has made sure of a session. While somebody
 * signs out, the page that is about to go keeps whom it knew.
 * @throws Error outside it
 */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  const [known, setKnown] = useState(data)
  if (data && data !== known) setKnown(data)
  const current = data ?? known
  if (!current) throw new Error("This part of the page needs a session.")
  return current
}

/** Whether a session has a permission at all, by what the server granted it. */
export function sessionCan(session: Session, permission: Permission): boolean {
  const grant = session.permissions[permission]
  return grant !== undefined && grant !== ("no" satisfies Grant)
}

/** Whether the person has a permission at all. The server decides again; this only explains beforehand. */
export function useCan(permission: Permission): boolean {
  const { data } = useQuery(sessionQuery)
  return data ? sessionCan(data, permission) : false
}

/** What the person may do with a job. The server decides again; this explains beforehand. */
export interface JobAccess {
  /** Pause, resume, cancel, decide. */
  readonly control: boolean
  /** Another person's job: a reason has to be given. */
  readonly needsReason: boolean
  /** Try failed rows again, or take it back: needs the right to the effect itself. */
  readonly write: boolean
  /** Why `control` or `write` is false, in two words. */
  readonly why: string
}

/** What the person may do with a job (roles table, jobs.control). */
export function useJobAccess(job: Pick<Job, "kind" | "created_by">): JobAccess {
  const { user, permissions } = useSession()
  const effect = useCan(jobPermission[job.kind])
  const mine = job.created_by.id === user.id
  const grant = permissions["jobs.control"] ?? "no"
  const control = grant === "yes" || grant === "reasoned" || (grant === "own" && mine)
  return {
    control,
    needsReason: grant === "reasoned" && !mine,
    write: control && effect,
    why: "Requires the Manager role",
  }
}
