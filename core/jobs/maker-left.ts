import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { pauseCodes } from "../../contract/job.ts"
import { can, roleNames } from "../../contract/roles.ts"
import type { AppUser } from "../../contract/users.ts"
import type { ActContext } from "../audit-log.ts"
import { stored } from "../errors.ts"
import { type EngineContext, jobAct } from "./engine-context.ts"
import type { JobRecord } from "./job-store.ts"

const jobsAtOnce = 100

/** Why nothing more is sent in a person's name; undefined while they may still do what the job does. */
function reasonLeft(user: AppUser, { kind }: Pick<JobRecord, "kind">): string | undefined {
  if (user.disabled) return `${user.name} was disabled.`
  if (can(user.role, jobKindDescriptors[kind].permission)) return undefined
  return `${user.name} is ${roleNames[user.role].toLowerCase()} now and may no longer send this.`
}

/**
 * What a person who lets a job send again becomes for it: its owner, whose own limit applies, where its maker is disabled
 * or may no longer do what it does.
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

/** Pauses the running jobs of a person who was disabled or demoted, each with its entry in the audit log. */
export async function pauseUserJobs(
  context: EngineContext,
  requester: ActContext,
  user: AppUser,
): Promise<readonly JobRecord[]> {
  const paused: JobRecord[] = []
  const query = { createdBy: user.id, state: "running", perPage: jobsAtOnce } as const
  for (let before: string | undefined; ;) {
    const found = await stored(context.store.jobs.list({ ...query, before }))
    const page = found.slice(0, jobsAtOnce)
    for (const job of page) {
      const now = await pauseLeft(context, requester, job, user)
      if (now !== undefined) paused.push(now)
    }
    before = page.at(-1)?.id
    if (found.length <= jobsAtOnce || before === undefined) return paused
  }
}

/**
 * Pauses a job that was just started if its maker was disabled or demoted meanwhile: that request may have looked for
 * running jobs a moment before.
 */
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
    (now: JobRecord) => jobAct(requester, "job.pause", now, message),
    (entry) => stored(context.store.jobs.change(job.id, ["running"], set, entry)),
  )
  if (changed !== undefined) context.jobMoved(job.id)
  return changed
}
