import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { auditEntry, type AuditEntry, type AuditQuery } from "../../contract/audit.ts"
import * as z from "zod/mini"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"

/** Every cached part of the audit log starts with this key. */
const auditKey = ["audit"] as const

registerTopic("audit", auditKey)

/** Entries of the audit log, newest first. */
export interface AuditPart {
  readonly entries: readonly AuditEntry[]
  /** Whether there are older ones. */
  readonly more: boolean
  /** When it was read, in ms since the epoch. */
  readonly at: number
}

/** What narrows the audit log. */
export type AuditFilter = Omit<AuditQuery, "before" | "per_page">

/** Entries in one part. */
const auditPartSize = 50

/**
 * The newest entries a filter matches, `parts` times 50 of them. They come from the desk's own store: reading
 * them costs no upstream request, and they are read from the top each time, so that none is shown twice.
 */
export function auditQuery(filter: AuditFilter, parts: number) {
  return queryOptions({
    queryKey: [...auditKey, filter, parts],
    queryFn: ({ signal }) => readAudit(filter, parts, signal),
    placeholderData: keepPreviousData,
    // The route asks before the page is there; one that comes after a failure says so and does not ask again.
    retryOnMount: false,
  })
}

async function readAudit(filter: AuditFilter, parts: number, signal: AbortSignal): Promise<AuditPart> {
  const entries: AuditEntry[] = []
  let before: string | undefined
  let at = Date.now()
  for (let part = 0; part < parts; part += 1) {
    const answer = await request({
      path: apiPath("audit"),
      query: { ...filter, before, per_page: auditPartSize },
      schema: z.array(auditEntry),
      signal,
    })
    entries.push(...answer.data)
    at = answer.at
    before = answer.meta?.next ?? undefined
    if (before === undefined) break
  }
  return { entries, more: before !== undefined, at }
}
