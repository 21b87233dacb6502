import type { RowEvidence } from "../../contract/job-rows.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import type { Owners } from "./owners.ts"

/**
 * Whether a person may send a row again now: not while its last call may still arrive at the service. That the call is
 * over where no proof of it exists is for the person to say (docs/decisions/0002-money.md, Leases).
 */
export async function mayResend(
  context: JobContext,
  owners: Owners,
  job: JobRecord,
  row: RowRecord,
): Promise<RowEvidence["resend"]> {
  const { settleMs } = context.config.jobs
  const now = context.time.now()
  if (job.state === "cancelling" || job.state === "cancelled") {
    return {
      allowed: false,
      why_not: "The job was cancelled, so nothing more is sent. Create it again if it’s still needed.",
    }
  }
  if (row.outcome?.code === "redeemed_twice") {
    return {
      allowed: false,
      why_not: "The order already exists twice. Cancel the second one in the program’s dashboard.",
    }
  }
  if (row.outcome?.code === "several_matches") {
    return {
      allowed: false,
      why_not: "Several entries already carry its batch code. Link the right one.",
    }
  }
  if (row.outcome?.code === "other_amount") {
    return {
      allowed: false,
      why_not: "The ledger already has an entry with its batch code. Award or deduct the difference instead.",
    }
  }
  if (row.outcome?.code === "awarded_twice") {
    return {
      allowed: false,
      why_not: "It was awarded twice. Reverse the second one with a deduction.",
    }
  }
  if (row.attempts === 0) return { allowed: true, why_not: null }
  const over = row.endedAt !== null || (await owners.ended(row.owner))
  const since = row.endedAt ?? row.leaseUntil ?? row.sentAt ?? now
  const wait = (over ? settleMs : 10 * settleMs) - (now - since)
  if (wait <= 0) return { allowed: true, why_not: null }
  const seconds = Math.ceil(wait / 1000)
  return {
    allowed: false,
    why_not: `Its last request may still be processed. Check again in ${seconds} s. Nothing was done.`,
  }
}
