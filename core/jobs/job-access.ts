import { jobKindDescriptors, type JobKind, kindsWith } from "../../contract/job-kinds.ts"
import { can, grantOf, type Permission } from "../../contract/roles.ts"
import type { SessionUser } from "../../contract/session.ts"
import { forbidden, invalid } from "../errors.ts"
import type { JobQuery, JobRecord } from "./job-store.ts"
import { requirePermission } from "../policy.ts"

/** How far a person sees jobs; undefined: all of them. */
export function jobScope(user: SessionUser): JobQuery["scope"] {
  if (grantOf(user.role, "jobs.read") !== "own-orders") return undefined
  // Others' jobs of the kinds that they may make themselves.
  return { maker: user.id, kinds: kindsWith(({ permission }) => can(user.role, permission)) }
}

/** Whether a person sees this job at all. */
export function seesJob(user: SessionUser, job: JobRecord): boolean {
  const scope = jobScope(user)
  return scope === undefined || job.createdBy.id === scope.maker || scope.kinds.includes(job.kind)
}

/** Whether a person may steer a job; `reason` is null where a request cannot say one. @throws AppError 403, 422 */
export function requireControl(user: SessionUser, job: JobRecord, reason: string | undefined | null): void {
  const grant = grantOf(user.role, "jobs.control")
  if (grant === "yes" || (grant !== "no" && job.createdBy.id === user.id)) return
  if (grant !== "reasoned" || reason === null) {
    throw forbidden(
      `This is ${job.createdBy.name}’s job. Only they or an administrator can do this. Nothing was done.`,
    )
  }
  if (reason === undefined || reason === "") {
    const message = `This is ${job.createdBy.name}’s job: give a reason. Nothing was done.`
    throw invalid(422, [{ field: "reason", message }])
  }
}

/** Whether a person may make effects of this kind: a job may be older than its maker's role. @throws AppError 403 */
export function requireKind(user: SessionUser, kind: JobKind): void {
  requirePermission(user.role, jobKindDescriptors[kind].permission)
}

/** Whether a person may make jobs at all. @throws AppError 403 */
export function requireSomeKind({ role }: SessionUser): void {
  const needed: readonly Permission[] = Object.values(jobKindDescriptors).map(({ permission }) => permission)
  if (!needed.some((permission) => can(role, permission)))
    requirePermission(role, needed[0] ?? "points.write")
}
