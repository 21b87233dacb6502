import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { readJobRows } from "../../../api/jobs.ts"
import { requestsFor } from "../../../api/paging.ts"
import { streamEveryPage } from "../../../api/stream-pages.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import { DownloadDialog, type DownloadTask } from "../../../ui/download.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { rowsText } from "../jobs/job-words.ts"
import { resultColumns } from "./result-columns.ts"

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
