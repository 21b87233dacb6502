import { limits } from "../../contract/limits.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"

/** Letters and digits that nobody mistakes for each other. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
const codeLength = 5

/** A new batch code. It is random: the store refuses one that exists. */
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

/** The reason as it was written, without a code at its end. */
export function reasonWithoutCode(reason: string): string {
  return reason.replace(/ · batch [2-9A-Z]{4,8}(-\d+)?$/, "")
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

/** The first `most` characters of a text, never half of one: half a character is what no database keeps. */
export function cutText(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("")
}
