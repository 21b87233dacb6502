import type { Job } from "../../../../contract/desk/job.ts"
import { jobPermission } from "../../../../contract/desk/job-permission.ts"
import { useCan, useSession } from "../../../api/permissions.ts"

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
