import { useState } from "react"
import * as z from "zod/mini"
import { auditEntry, type AuditEntry } from "../../../contract/audit.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job, JobKind } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import type { AuditFilter } from "../../api/audit.ts"
import { readJobRows } from "../../api/jobs.ts"
import { requestsFor, streamEveryPage } from "../../api/paging.ts"
import { apiPath, request } from "../../api/request.ts"
import { decisionWords, inputText, recipientText, rowNumber, rowsText, rowWords } from "./job-status.tsx"
import type { CsvCell } from "../../lib/csv.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, type DownloadTask } from "../../lists/download.tsx"
import { Segmented } from "../../ui/segmented.tsx"

/** From here on a file is streamed to the disk rather than put together in memory, in requests. */
const largeFrom = 20

/** Downloads what became of each row, or of the failed ones alone. */
export function ResultsDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [which, setWhich] = useState<"all" | "failed">("all")
  const { failed } = job.counts
  const all = job.total + job.counts.excluded
  const count = which === "all" ? all : failed
  return (
    <DownloadDialog
      title="Download results"
      action={`Download ${rowsText(count)}`}
      task={() => resultsTask(job, which === "failed")}
      ready={count > 0}
      onClose={onClose}
    >
      {failed > 0 && (
        <Segmented
          label="Which rows"
          value={which}
          options={[
            { value: "all", label: `All ${rowsText(all)}` },
            { value: "failed", label: `Only the ${rowsText(failed, "failed row")}` },
          ]}
          onChange={setWhich}
        />
      )}
      <p className="text-secondary">
        A CSV file with every row and its outcome. It uses no service requests. Text that a spreadsheet would
        run as a formula is escaped.
      </p>
    </DownloadDialog>
  )
}

/** The file of a job's rows. */
export function resultsTask(job: Job, onlyFailed: boolean): DownloadTask {
  const columns = resultColumns(job.kind)
  const perPage = limits.perPage.max
  const name = `${job.id} ${jobTitle(job)}`.replaceAll(/[\\/:*?"<>|]+/g, " ").slice(0, 120)
  return {
    name: `${name}${onlyFailed ? ", failed" : ""}.csv`,
    columns: columns.map((column) => column.name),
    large: requestsFor(onlyFailed ? job.counts.failed : job.total + job.counts.excluded, perPage) > largeFrom,
    run: (file, signal, onProgress) =>
      streamEveryPage<JobRow>({
        perPage,
        signal,
        onProgress,
        idOf: ({ row }) => String(row),
        read: async (page, size) => {
          const query = { page, per_page: size, ...(onlyFailed ? { state: "failed" as const } : {}) }
          const { rows, total } = await readJobRows(job.id, query, signal)
          return { data: [...rows], meta: { total } }
        },
        begin: file.begin,
        take: (rows) => file.add(rows.map((row) => columns.map((column) => column.value(row)))),
      }),
  }
}

interface AuditExportProps {
  filter: AuditFilter
  onClose: () => void
}

/** Downloads the audit log as the page's filters narrow it. */
export function AuditExport({ filter, onClose }: AuditExportProps) {
  const narrowed = Object.keys(filter).length > 0
  return (
    <DownloadDialog
      title="Download the audit log"
      action={narrowed ? "Download these entries" : "Download every entry"}
      task={() => auditTask(filter)}
      onClose={onClose}
    >
      <p className="text-secondary">
        A CSV file with {narrowed ? "the entries that match the filters in use" : "every entry you can view"},
        newest first. It comes from Laurel’s own database and uses no service requests.
      </p>
    </DownloadDialog>
  )
}

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

interface ResultColumn {
  readonly name: string
  readonly value: (row: JobRow) => CsvCell
}

const outcome: readonly ResultColumn[] = [
  { name: "state", value: (row) => rowWords[row.state].word },
  { name: "outcome_code", value: (row) => row.outcome?.code },
  { name: "outcome", value: (row) => row.outcome?.message },
  { name: "upstream_id", value: (row) => row.upstream_id },
  { name: "balance_after", value: (row) => row.balance_after },
  { name: "attempts", value: (row) => row.attempts },
  { name: "sent_at", value: (row) => row.sent_at },
  { name: "ended_at", value: (row) => row.ended_at },
  { name: "decision", value: ({ decision }) => decision && decisionWords(decision) },
  { name: "decided_by", value: ({ decision }) => decision?.by.name },
  { name: "decided_at", value: ({ decision }) => decision?.at },
]

/** The columns of a job's results: the row's number, what was asked under its field names, what became of it. */
export function resultColumns(kind: JobKind): readonly ResultColumn[] {
  const inputs = jobKindDescriptors[kind].resultFields.map((name): ResultColumn => ({
    name,
    value: (row) => inputCell(row, name),
  }))
  return [{ name: "row", value: rowNumber }, ...inputs, ...outcome]
}

function inputCell(row: JobRow, name: string): CsvCell {
  if (name === "member") return row.member?.label
  if (name === "member_id") return inputText(row, name) ?? row.member?.id
  if (name === "email") return inputText(row, name) ?? recipientText(row, name)
  if (name !== "points" && name !== "denomination") return inputText(row, name)
  const amount = row.input[name]
  // An excluded row may have a text that is no number.
  return typeof amount === "number" || typeof amount === "string" ? amount : undefined
}
