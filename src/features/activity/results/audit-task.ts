import { auditEntry, type AuditEntry } from "../../../../contract/audit.ts"
import { limits } from "../../../../contract/limits.ts"
import type { AuditFilter } from "../../../api/audit.ts"
import { apiPath, request } from "../../../api/request.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import { isoDayOf } from "../../../lib/time.ts"
import * as z from "zod/mini"
import type { DownloadTask } from "../../../ui/download.tsx"

const columns = [
  "id",
  "at",
  "person_id",
  "person",
  "role",
  "action",
  "kind",
  "record_id",
  "record",
  "outcome",
  "note",
  "changes",
  "request_id",
  "source_address",
]

/** The file of the audit log, newest first, with the filters of the page. */
export function auditTask(filter: AuditFilter): DownloadTask {
  return {
    name: `Audit log ${isoDayOf(Date.now())}.csv`,
    columns,
    // How much it is nobody knows before it was read.
    large: true,
    run: async (file, signal, onProgress) => {
      await file.begin()
      let rows = 0
      let before: string | undefined
      for (let done = 1; ; done += 1) {
        signal.throwIfAborted()
        const answer = await request({
          path: apiPath("audit"),
          query: { ...filter, before, per_page: limits.perPage.max },
          schema: z.array(auditEntry),
          signal,
        })
        await file.add(answer.data.map(cellsOf))
        rows += answer.data.length
        onProgress({ done, of: null, restarts: 0 })
        before = answer.meta?.next ?? undefined
        if (before === undefined) return rows
      }
    },
  }
}

/** One entry as cells, in the order of the columns. */
function cellsOf({ actor, on, changes, ...entry }: AuditEntry): CsvCell[] {
  const changed = changes.map(({ field, from, to }) => `${field}: ${from ?? "none"} to ${to ?? "none"}`)
  return [
    entry.id,
    entry.at,
    actor.id,
    actor.name,
    actor.role,
    entry.action,
    on.kind,
    on.id,
    on.label,
    entry.outcome,
    entry.note,
    changed.join("; "),
    entry.request_id,
    entry.source,
  ]
}
