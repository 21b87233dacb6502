import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { pauseCodes } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { comparedText } from "../../contract/typed-text.ts"
import { hex, textHash } from "../runtime.ts"
import type { JobRecord, NewRow, RowRecord } from "./job-store.ts"

export const firstJobNumber = 1001

/** Id of the job with a number, such as `J-1183`. */
export function formatJobId(number: number): string {
  return `J-${number}`
}

export function parseJobId(id: string): number | undefined {
  return /^J-[1-9]\d{3,14}$/.test(id) ? Number(id.slice(2)) : undefined
}

/** Id under which a sitting reads as one job: `S-1183`, after its first job. */
export function formatSittingId(firstJob: string): string {
  return `S${firstJob.slice(1)}`
}

/** Number of the first job of the sitting with this id; undefined for an id of another kind. */
export function parseSittingId(id: string): number | undefined {
  return id.startsWith("S-") ? parseJobId(`J${id.slice(1)}`) : undefined
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

/** An index takes only so much. */
const longest = 120

/** What a row does besides for whom: kind, amount, and reference or reason as they are compared. */
export function rowEffect(kind: string, amount: number | string, text: string): string {
  return JSON.stringify([kind, amount, indexedText(text)])
}

/** What an award is for, whatever its amount: the reference, else the reason, as they are compared. */
export function rowPurpose({
  reference,
  reason,
}: {
  readonly reference?: string | undefined
  readonly reason: string
}) {
  return reference === undefined
    ? JSON.stringify(["reason", indexedText(reasonWithoutCode(reason))])
    : JSON.stringify(["reference", indexedText(reference)])
}

export const isForReference = (purpose: string) => purpose.startsWith('["reference"')

function indexedText(text: string): string {
  const same = comparedText(text)
  return same.length <= longest ? same : `${same.slice(0, longest)}…${same.length}.${textHash(same)}`
}

/** Whether something has an owner, and that is not this row. */
export function isOwnedByAnotherRow(
  owner: { readonly job: string; readonly row: number } | undefined,
  { jobId, row }: Pick<RowRecord, "jobId" | "row">,
): boolean {
  return owner !== undefined && (owner.job !== jobId || owner.row !== row)
}

export function isSameInput(one: NewRow["input"], other: NewRow["input"]): boolean {
  return sortedJson(one) === sortedJson(other)
}

/** SHA-256 in hexadecimal of a value as JSON with its keys in order. */
export async function bodyHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(sortedJson(value))
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  )
}

/** What a job is called in the audit log: its name, else what it does to how many. */
export function jobLabel({ title, kind, total }: Pick<JobRecord, "title" | "kind" | "total">): string {
  const { noun } = jobKindDescriptors[kind]
  return title ?? `${total.toLocaleString("en-AU")} ${total === 1 ? noun : `${noun}s`}`
}

const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
const codeLength = 5

/** Random: the store refuses one that exists. */
export function newBatchCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(codeLength))
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join("")
}

/** The row's own reference, such as `7K2QX.12`. */
export function tagReference(job: Pick<JobRecord, "batchCode">, row: Pick<RowRecord, "row">): string {
  return `${job.batchCode}.${row.row}`
}

/** The code of a row: a member's second row of a job is `7K2QX-2`, so that no two of a member are the same. */
export function tagCode(job: Pick<JobRecord, "batchCode">, row: Pick<RowRecord, "ordinal">): string {
  return row.ordinal === null || row.ordinal === 1 ? job.batchCode : `${job.batchCode}-${row.ordinal}`
}

/** The reason with the code at its end; the reason gives way where both are too long together. */
export function reasonWithCode(reason: string, code: string): string {
  const ending = ` · batch ${code}`
  return `${cutText(reason, limits.reason - ending.length).trimEnd()}${ending}`
}

export function reasonWithoutCode(reason: string): string {
  return reason.replace(/ · batch [2-9A-Z]{4,8}(-\d+)?$/, "")
}

/** The reason of points taken back that were awarded for `reason`. */
export function correctionReason(reason: string): string {
  return reason === "" ? "Correction" : `Correction: ${reason}`
}

/** Whether a text carries exactly this code. The rest of it may have come back cut or changed. */
export function carriesCode(text: string | null | undefined, code: string): boolean {
  if (text === null || text === undefined) return false
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.slice(at + code.length)
    if (!/[0-9A-Z]/i.test(before) && !/^(-\d|[0-9A-Z])/i.test(after)) return true
  }
  return false
}

/** Never half a character, which no database keeps. */
export function cutText(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("")
}
