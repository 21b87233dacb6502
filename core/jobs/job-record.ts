import { jobKindDescriptors } from "../../contract/job-kinds.ts"
import { pauseCodes } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { comparedText } from "../../contract/typed-text.ts"
import { hex, textHash } from "../runtime.ts"
import type { JobRecord, NewRow, RowRecord } from "./job-store.ts"

/** The fields of a job that follows from another one: a correction, a reversal, a return, a merge. */
export const followUpJob = {
  state: "running",
  mode: null,
  bulkSize: limits.bulkRows,
  lane: "jobs",
  hasBatchCode: true,
  file: null,
  reverses: null,
  request: null,
} as const

/** Four digits from the start, which `parseJobId` relies on. */
export const firstJobNumber = 1001

/** A job's id from its number, such as `J-1183`. */
export function formatJobId(number: number): string {
  return `J-${number}`
}

/** The number in a job's id; undefined for any other text. */
export function parseJobId(id: string): number | undefined {
  return /^J-[1-9]\d{3,14}$/.test(id) ? Number(id.slice(2)) : undefined
}

/** Whether a job must not send because the store was restored and no person has continued it. */
export function isHeld({ hold }: Pick<JobRecord, "hold">): boolean {
  return hold !== null && hold.state !== "released"
}

/** Whether a held job is unfinished and not a draft; drafts are looked up when they are started. */
export function isHeldOpen(job: Pick<JobRecord, "hold" | "state">): boolean {
  return isHeld(job) && (job.state === "running" || job.state === "paused" || job.state === "cancelling")
}

/** Whether a job needs a person: undecided rows, ready after a restore, or paused automatically. */
export function needsPerson(job: Pick<JobRecord, "attention" | "state" | "pause" | "hold">): boolean {
  const { attention, state, pause, hold } = job
  if (hold?.state === "ready" && (state === "running" || state === "paused")) return true
  return attention > 0 || (state === "paused" && pause !== null && pause.code !== pauseCodes.person)
}

/** Whether its maker sees the outcome of each row immediately: a single row, or parcels of the ship desk. */
export function isSingleOrShipDesk({ total, closesAt }: Pick<JobRecord, "total" | "closesAt">): boolean {
  return total === 1 || closesAt !== null
}

/** Whether its row must be sent soon after the click: a form's. Parcels of the ship desk may be sent later, too. */
export function hasSendDeadline({ lane, closesAt }: Pick<JobRecord, "lane" | "closesAt">): boolean {
  return lane === "people" && closesAt === null
}

/** Length limit of indexed text. */
const longest = 120

/** Comparison key of a row without its member: kind, amount, and reference or reason. */
export function rowEffect(kind: string, amount: number | string, text: string): string {
  return JSON.stringify([kind, amount, indexedText(text)])
}

/** Comparison key of an award's purpose: its reference, otherwise its reason. */
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

/** Whether a purpose was built from a reference rather than from a reason. */
export const isForReference = (purpose: string) => purpose.startsWith('["reference"')

function indexedText(text: string): string {
  const same = comparedText(text)
  return same.length <= longest ? same : `${same.slice(0, longest)}…${same.length}.${textHash(same)}`
}

/** Whether a claim has an owner other than this row. */
export function isOwnedByAnotherRow(
  owner: { readonly job: string; readonly row: number } | undefined,
  { jobId, row }: Pick<RowRecord, "jobId" | "row">,
): boolean {
  return owner !== undefined && (owner.job !== jobId || owner.row !== row)
}

/** A duplicated award was carried out, whatever happened to the duplicate. */
export function wasDone({ state, decision, outcome }: Pick<RowRecord, "state" | "decision" | "outcome">) {
  return state === "confirmed" || decision?.decision === "happened" || outcome?.code === "awarded_twice"
}

/** Compares by value; the order of fields does not matter. */
export function isSameInput(one: NewRow["input"], other: NewRow["input"]): boolean {
  return sortedJson(one) === sortedJson(other)
}

/** Hexadecimal SHA-256 of a value as JSON with sorted keys. */
export async function bodyHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(sortedJson(value))
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  )
}

/**
 * A job's label in the audit log: its title, otherwise the count and noun of its rows; without a count while a draft has
 * none. `part`: how many of the rows an act concerned, as in `5 of 8 awards`.
 */
export function jobLabel(
  { title, kind, total }: Pick<JobRecord, "title" | "kind" | "total">,
  part = total,
): string {
  const { noun } = jobKindDescriptors[kind]
  const of = part === total ? "" : `${grouped(part)} of ${grouped(total)}`
  if (title !== null) return of === "" ? title : `${title}: ${of}`
  if (total === 0) return `${noun}s`
  return `${of || grouped(total)} ${total === 1 ? noun : `${noun}s`}`
}

const grouped = (count: number) => count.toLocaleString("en-AU")

const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
const codeLength = 5

/** Random; the store rejects an existing code. */
export function newBatchCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(codeLength))
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join("")
}

/** Scope of the claims on ledger entries: each belongs to one row, an award of ours or the return of one order. */
export const entryScope = "program:transaction"

/** Where the metadata of an award carries its reference, when a person gave it another one. */
export const tagKey = "laurel"

/** The row's own reference, such as `7K2QX.12`. */
export function tagReference(job: Pick<JobRecord, "batchCode">, row: Pick<RowRecord, "row">): string {
  return `${job.batchCode}.${row.row}`
}

/** The row's code, unique for its member in the job: the second row of a member has `7K2QX-2`. */
export function tagCode(job: Pick<JobRecord, "batchCode">, row: Pick<RowRecord, "ordinal">): string {
  return row.ordinal === null || row.ordinal === 1 ? job.batchCode : `${job.batchCode}-${row.ordinal}`
}

/** Appends the code to the reason, which is shortened to fit the limit. */
export function reasonWithCode(reason: string, code: string): string {
  const ending = ` · batch ${code}`
  return `${cutText(reason, limits.reason - ending.length).trimEnd()}${ending}`
}

/** The reason as the person gave it, from one with a batch code at its end. */
export function reasonWithoutCode(reason: string): string {
  return reason.replace(/ · batch [2-9A-Z]{4,8}(-\d+)?$/, "")
}

/** The reason of a deduction that corrects an award with `reason`. */
export function correctionReason(reason: string): string {
  return reason === "" ? "Correction" : `Correction: ${reason}`
}

/** Whether a text contains exactly this code. The service may have cut or changed the rest. */
export function carriesCode(text: string | null | undefined, code: string): boolean {
  if (text === null || text === undefined) return false
  for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.slice(at + code.length)
    if (!/[0-9A-Z]/i.test(before) && !/^(-\d|[0-9A-Z])/i.test(after)) return true
  }
  return false
}

/** Cuts by code points, because databases reject unpaired surrogates. */
export function cutText(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("")
}
