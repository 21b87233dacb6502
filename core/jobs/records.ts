import { pauseCodes } from "../../contract/job.ts"
import type { JobRecord, NewRow, RowRecord } from "./job-store.ts"

export const firstJobNumber = 1001

/** Id of the job with a number, such as `J-1183`. */
export function jobIdOf(number: number): string {
  return `J-${number}`
}

/** Number of the job with an id; undefined for what is no job's id. */
export function jobNumberOf(id: string): number | undefined {
  return /^J-[1-9]\d{3,14}$/.test(id) ? Number(id.slice(2)) : undefined
}

/** Whether nothing of a job may be sent because the store was restored and no person has continued it. */
export function isHeld({ hold }: Pick<JobRecord, "hold">): boolean {
  return hold !== null && hold.state !== "released"
}

/** Whether a job that is held is under way; a draft is looked up when it is started. */
export function isHeldOpen(job: Pick<JobRecord, "hold" | "state">): boolean {
  return isHeld(job) && (job.state === "running" || job.state === "paused" || job.state === "cancelling")
}

/** Whether a job waits for somebody: for a decision on a row, a word after a restore, or because it stopped by itself. */
export function needsPerson(job: Pick<JobRecord, "attention" | "state" | "pause" | "hold">): boolean {
  const { attention, state, pause, hold } = job
  if (hold?.state === "ready" && (state === "running" || state === "paused")) return true
  return attention > 0 || (state === "paused" && pause !== null && pause.code !== pauseCodes.person)
}

/** A text that is longer is kept by its beginning, its length and its hash: an index takes only so much. */
const longest = 120

/**
 * What a row does besides for whom, so that the same row is recognised when a file brings it again: its kind, its
 * amount, and its reference or else its reason, without regard to case and blanks.
 */
export function rowEffect(kind: string, amount: number | string, text: string): string {
  const same = text.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase()
  const kept = same.length <= longest ? same : `${same.slice(0, longest)}…${same.length}.${hashOf(same)}`
  return JSON.stringify([kind, amount, kept])
}

/** 64 bits as hexadecimal text: enough to tell long texts apart, and nothing rests on it beyond that. */
function hashOf(text: string): string {
  let high = 0xde_ad_be_ef
  let low = 0x41_c6_ce_57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
}

/** Whether something has an owner, and that is not this row. */
export function isOthers(
  owner: { readonly job: string; readonly row: number } | undefined,
  { jobId, row }: Pick<RowRecord, "jobId" | "row">,
): boolean {
  return owner !== undefined && (owner.job !== jobId || owner.row !== row)
}

export function isSameInput(one: NewRow["input"], other: NewRow["input"]): boolean {
  return sortedJson(one) === sortedJson(other)
}

/** SHA-256 of a value as JSON with its keys in order, in hexadecimal: equal values give equal hashes. */
export async function bodyHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(sortedJson(value))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  )
}
