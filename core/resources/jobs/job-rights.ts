import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { type JobKind } from "../../../contract/job.ts"
import type { SessionUser } from "../../../contract/users.ts"
import { can, grantOf, roleNames, roleNeeded } from "../../../contract/roles.ts"
import type { DeskContext } from "../../context.ts"
import { forbidden, invalid, notFound, stored } from "../../errors.ts"
import type { DeskRequest } from "../../http.ts"
import type { JobQuery, JobRecord } from "../../jobs/job-store.ts"

/** Kinds that belong to the packing bench: everybody there sees them, whoever made them. */
const benchKinds: readonly string[] = ["order-update"]

/** How far a person sees jobs; undefined: all of them. */
export function jobScope(user: SessionUser): JobQuery["scope"] {
  return grantOf(user.role, "jobs.read") === "own-orders" ? { maker: user.id, kinds: benchKinds } : undefined
}

/**
 * The job a request is about.
 * @throws DeskFailure 404 when there is none, or none the person may see: both read the same
 */
export async function seenJob(context: DeskContext, { user }: DeskRequest, id = ""): Promise<JobRecord> {
  const found = await stored(context.store.jobs.get(id))
  if (found === undefined || !seesJob(user, found)) throw notFound("Job not found.")
  return found
}

/** Whether a person sees this job at all. */
export function seesJob(user: SessionUser, job: JobRecord): boolean {
  const scope = jobScope(user)
  return scope === undefined || job.createdBy.id === scope.maker || scope.kinds.includes(job.kind)
}

/**
 * Whether a person may steer a job (roles table, `jobs.control`): administrators any, managers another's with a
 * reason, fulfilment their own.
 * @param reason why, where the request can say it; null where it cannot
 * @throws DeskFailure 403, or 422 on `reason`
 */
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

/**
 * Whether a person may make effects of this kind happen: a job may be older than its maker's role.
 * @throws DeskFailure 403
 */
export function requireKind(user: SessionUser, kind: JobKind): void {
  const permission = jobKindDescriptors[kind].permission
  if (can(user.role, permission)) return
  throw forbidden(`This requires the ${roleNames[roleNeeded(permission)]} role. Nothing was done.`)
}

/**
 * Whether a person may make jobs at all.
 * @throws DeskFailure 403
 */
export function requireSomeKind(user: SessionUser): void {
  const needed = Object.values(jobKindDescriptors).map(({ permission }) => permission)
  if (needed.some((permission) => can(user.role, permission))) return
  throw forbidden(
    `This requires the ${roleNames[roleNeeded(needed[0] ?? "points.write")]} role. Nothing was done.`,
  )
}
