import { SegmentedControl } from "@mantine/core"
import { useState } from "react"
import * as z from "zod/mini"
import { auditEntry, type AuditEntry } from "../../../contract/audit.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import type { AuditFilter } from "../../api/audit.ts"
import { readJobRows, rowNumber } from "../../api/jobs.ts"
import { streamEveryPage } from "../../api/paging.ts"
import { apiPath, request } from "../../api/request.ts"
import { type CsvCell, type CsvColumns, csvRows } from "../../lib/csv.ts"
import { counted } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, type DownloadTask, largeFrom, plainFileName } from "../../forms/download.tsx"
import { decisionLabel, inputText, recipientText, rowStatuses } from "./job-status.tsx"

/** Downloads the outcomes of all rows, or of the failed ones. */
export function ResultsDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [which, setWhich] = useState<"all" | "failed">("all")
  const { failed, excluded } = job.counts
  const all = job.total + excluded
  const count = which === "all" ? all : failed
  return (
    <DownloadDialog
      title="Download results"
      action={`Download ${counted(count, "row")}`}
      task={() => resultsTask(job, which, count)}
      ready={count > 0}
      onClose={onClose}
    >
      {failed > 0 && (
        <SegmentedControl
          aria-label="Which rows"
          value={which}
          data={[
            { value: "all", label: `All ${counted(all, "row")}` },
            { value: "failed", label: `Only the ${counted(failed, "row")} not done` },
          ]}
          onChange={setWhich}
        />
      )}
      <p className="text-secondary">A file with every row and its outcome.</p>
    </DownloadDialog>
  )
}

function resultsTask(job: Job, which: "all" | "failed", count: number): DownloadTask {
  const columns = resultColumns(job)
  const name = plainFileName(`${job.id} ${jobTitle(job)}`)
  return {
    name: `${name}${which === "failed" ? ", not done" : ""}`,
    columns: Object.keys(columns),
    large: count > largeFrom * limits.perPage.max,
    run: (file, signal, onProgress) =>
      streamEveryPage<JobRow>({
        perPage: limits.perPage.max,
        signal,
        onProgress,
        idOf: ({ row }) => String(row),
        read: async (page, per_page) => {
          const query = { page, per_page, ...(which === "failed" && { state: which }) }
          const { rows, total } = await readJobRows(job.id, query, signal)
          return { data: [...rows], meta: { total } }
        },
        begin: file.begin,
        take: (rows) => file.add(csvRows(columns, rows)),
      }),
  }
}

function resultColumns({ kind }: Job): CsvColumns<JobRow> {
  const { resultFields } = jobKindDescriptors[kind]
  return {
    row: rowNumber,
    ...Object.fromEntries(resultFields.map((name) => [name, (row: JobRow) => inputCell(row, name)])),
    state: ({ state }) => rowStatuses[state].word,
    outcome_code: ({ outcome }) => outcome?.code,
    outcome: ({ outcome }) => outcome?.message,
    upstream_id: ({ upstream_id }) => upstream_id,
    balance_after: ({ balance_after }) => balance_after,
    attempts: ({ attempts }) => attempts,
    sent_at: ({ sent_at }) => sent_at,
    ended_at: ({ ended_at }) => ended_at,
    decision: ({ decision }) => decision && decisionLabel(decision),
    decided_by: ({ decision }) => decision?.by.name,
    decided_at: ({ decision }) => decision?.at,
  }
}

function inputCell(row: JobRow, name: string): CsvCell {
  if (name === "member") return row.member?.label
  if (name === "member_id") return inputText(row, name) ?? row.member?.id
  if (name === "email") return inputText(row, name) ?? recipientText(row, name)
  if (name !== "points" && name !== "denomination") return inputText(row, name)
  const amount = row.input[name]
  // An excluded row may have an amount that is not a number.
  return typeof amount === "number" || typeof amount === "string" ? amount : undefined
}

/** Downloads the audit log with the page's filters. */
export function AuditExport({ filter, onClose }: { filter: AuditFilter; onClose: () => void }) {
  const narrowed = Object.keys(filter).length > 0
  return (
    <DownloadDialog
      title="Download the audit log"
      action={narrowed ? "Download these entries" : "Download every entry"}
      task={() => auditTask(filter)}
      onClose={onClose}
    >
      <p className="text-secondary">
        A file with {narrowed ? "the entries that match the filters in use" : "every entry you can view"},
        newest first. It comes from Laurel’s own database.
      </p>
    </DownloadDialog>
  )
}

const auditColumns: CsvColumns<AuditEntry> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  person_id: ({ actor }) => actor.id,
  person: ({ actor }) => actor.name,
  role: ({ actor }) => actor.role,
  action: ({ action }) => action,
  kind: ({ on }) => on.kind,
  record_id: ({ on }) => on.id,
  record: ({ on }) => on.label,
  outcome: ({ outcome }) => outcome,
  note: ({ note }) => note,
  changes: ({ changes }) =>
    changes.map(({ field, from, to }) => `${field}: ${from ?? "none"} to ${to ?? "none"}`).join("; "),
  request_id: ({ request_id }) => request_id,
  source_address: ({ source }) => source,
}

/** The file of the audit log, newest first. Its size is unknown beforehand, so it counts as large. */
function auditTask(filter: AuditFilter): DownloadTask {
  return {
    name: `Audit log ${isoDayOf(Date.now())}`,
    columns: Object.keys(auditColumns),
    large: true,
    run: async (file, signal, onProgress) => {
      await file.begin()
      let rows = 0
      let before: string | undefined
      for (let done = 1; ; done += 1) {
        signal.throwIfAborted()
        const { data, meta } = await request({
          path: apiPath("audit"),
          query: { ...filter, before, per_page: limits.perPage.max },
          schema: z.array(auditEntry),
          signal,
        })
        await file.add(csvRows(auditColumns, data))
        rows += data.length
        onProgress({ done, of: null, restarts: 0 })
        before = meta?.next ?? undefined
        if (before === undefined) return rows
      }
    },
  }
}
