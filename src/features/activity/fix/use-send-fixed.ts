import { useState } from "react"
import { useControlJob, useEditRows, useRetryJob } from "../../../api/job-writes.ts"
import { problemsOf } from "../../../form/server-problems.ts"
import { fieldOf, type FixField } from "./fix-model.ts"
import type { Fix } from "./use-fix.ts"
import type { OpenState } from "./use-open-rows.ts"

/** What the server found wrong in a row's cells. */
export type CellProblems = Readonly<Partial<Record<FixField["key"], string>>>

/** Sends corrected rows: failed ones again; those not sent are saved, then the job is resumed. */
export function useSendFixed(jobId: string, state: OpenState, fix: Fix) {
  const retry = useRetryJob(jobId)
  const edit = useEditRows(jobId)
  const control = useControlJob(jobId)
  // Rows as they were numbered in the request that failed.
  const [sent, setSent] = useState<readonly number[]>([])
  const failed = [retry, edit].find(({ error }) => error !== null)?.error ?? null

  async function start(reason: string, onDone: () => void): Promise<void> {
    const said = reason === "" ? {} : { reason }
    const rows = fix.body()
    try {
      if (state === "failed") {
        setSent(rows.map(({ row }) => row))
        await retry.mutateAsync({ rows, ...said })
      } else {
        const edited = rows.flatMap(({ row, input }) => (input === undefined ? [] : { row, input }))
        setSent(edited.map(({ row }) => row))
        if (edited.length > 0) await edit.mutateAsync({ rows: edited, ...said })
        await control.mutateAsync({ action: "resume", ...said })
      }
      onDone()
    } catch {
      // The mutations keep their errors, and the table shows them.
    }
  }

  const problems = new Map<number, CellProblems>()
  for (const { field, message } of problemsOf(failed)) {
    const [, at, name = ""] = /^rows\.(\d+)\.input\.?(?:member\.)?([^.]*)/.exec(field) ?? []
    const row = sent[Number(at)]
    if (row !== undefined) problems.set(row, { [fieldOf(fix.kind, name)]: message, ...problems.get(row) })
  }
  return {
    start,
    busy: retry.isPending || edit.isPending || control.isPending,
    done: retry.isSuccess || control.isSuccess,
    error: failed ?? control.error,
    problems,
    what:
      state === "failed"
        ? "No row was sent again."
        : failed === null && edit.isSuccess
          ? "The rows were saved. The job is still paused."
          : "No row was saved. The job is still paused.",
  }
}
