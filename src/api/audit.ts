import { queryOptions } from "@tanstack/react-query"
import { auditEntry, type AuditEntry, type AuditQuery } from "../../contract/audit.ts"
import * as z from "zod/mini"
import { registerTopic } from "./events.ts"
import { pageHow, readParts } from "./paging.ts"
import { apiPath } from "./request.ts"

registerTopic("audit", ["audit"])

/** Entries of the audit log, newest first. */
export interface AuditPart {
  readonly entries: readonly AuditEntry[]
  readonly more: boolean
  /** When it was read, in ms since the epoch. */
  readonly at: number
}

/** What narrows the audit log. */
export type AuditFilter = Omit<AuditQuery, "before" | "per_page">

/** The newest entries a filter matches, `parts` times 50 of them. */
export function auditQuery(filter: AuditFilter, parts: number) {
  return queryOptions({
    queryKey: ["audit", filter, parts],
    queryFn: async ({ signal }): Promise<AuditPart> => {
      const { rows, ...part } = await readParts(apiPath("audit"), filter, z.array(auditEntry), parts, signal)
      return { entries: rows, ...part }
    },
    ...pageHow,
  })
}
