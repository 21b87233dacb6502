import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { pauseCodes } from "../../contract/job.ts"
import { can, roleNames } from "../../contract/roles.ts"
import type { AppUser } from "../../contract/users.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { stored } from "../errors.ts"
import { type EngineContext, jobAct } from "./engine-context.ts"
import type { JobRecord } from "./job-store.ts"

const pageSize = 100

/** Why a job can no longer run in its maker's name; undefined while the maker has the permission. */
function reasonLeft(user: AppUser, { kind }: Pick<JobRecord, "kind">): string | undefined {
  if (user.disabled) return `${user.name} was disabled.`
  if (can(user.role, jobKindDescriptors[kind].permission)) return undefined
  return `${user.name} is ${roleNames[user.role].toLowerCase()} now and may no longer send this.`
}

/**
 * The requester as the new owner of a job that runs again, if its maker was disabled or lost the permission. The owner's
 * limits then apply.
 */
export async function newOwner(
  { accounts }: EngineContext,
  { user: { id, name, role } }: ActContext,
  job: JobRecord,
): Promise<{ readonly createdBy?: JobRecord["createdBy"] }> {
  if (id === job.createdBy.id) return {}
  const maker = await stored(accounts.get(job.createdBy.id))
  const isLeft = maker !== undefined && reasonLeft(maker, job) !== undefined
  return isLeft ? { createdBy: { id, name, role } } : {}
}

/** Pauses the running jobs of a user who was disabled or demoted, each with an audit entry. */
export async function pauseUserJobs(
  context: EngineContext,
  requester: ActContext,
  user: AppUser,
): Promise<readonly JobRecord[]> {
  const paused: JobRecord[] = []
  await stored(context.store.jobs.closeOpen(user.id))
  const query = { createdBy: user.id, state: "running", perPage: pageSize } as const
  for (let before: string | undefined; ;) {
    const jobs = await stored(context.store.jobs.list({ ...query, before }))
    const page = jobs.slice(0, pageSize)
    for (const job of page) {
      const now = await pauseLeft(context, requester, job, user)
      if (now !== undefined) paused.push(now)
    }
    before = page.at(-1)?.id
    if (jobs.length <= pageSize || before === undefined) return paused
  }
}

/** Pauses a just started job if its maker was disabled or demoted meanwhile, which `pauseUserJobs` may have missed. */
export async function pauseIfMakerLeft(
  context: EngineContext,
  requester: ActContext,
  job: JobRecord,
): Promise<JobRecord> {
  if (job.state !== "running") return job
  const user = await stored(context.accounts.get(job.createdBy.id))
  return (user && (await pauseLeft(context, requester, job, user))) ?? job
}

async function pauseLeft(context: EngineContext, requester: ActContext, job: JobRecord, user: AppUser) {
  const message = reasonLeft(user, job)
  if (message === undefined) return undefined
  const set = { state: "paused", pause: { code: pauseCodes.makerLeft, message } } as const
  const changed = await context.audit.together(
    (now: JobRecord) => jobAct(requester, "job.pause", now, { note: message }),
    (entry) => stored(context.store.jobs.change(job.id, ["running"], set, entry)),
  )
  if (changed !== undefined) context.jobMoved(job.id)
  return changed
}
