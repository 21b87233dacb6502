import { useState } from "react"
import { ApiError } from "../../../api/errors.ts"
import { useControlJob, useEditRows, useRetryJob } from "../../../api/job-writes.ts"
import { problemsOf } from "../../../forms/form.tsx"
import { formatCount } from "../../../lib/format.ts"
import { rowNumber } from "../jobs/row-words.ts"
import { fieldOf, labelOf, type FixField } from "./fix-model.ts"
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
  const said: string[] = []
  for (const { field, message } of problemsOf(failed)) {
    const [, at, name = ""] = /^rows\.(\d+)\.input\.?(?:member\.)?([^.]*)/.exec(field) ?? []
    const number = sent[Number(at)]
    const row = fix.chosen.find((each) => each.row === number)
    if (row === undefined) {
      said.push(message)
      continue
    }
    const key = fieldOf(fix.kind, name)
    problems.set(row.row, { [key]: message, ...problems.get(row.row) })
    said.push(`Row ${rowNumber(row)}, ${labelOf(fix.kind, key)}: ${message}`)
  }
  return {
    start,
    busy: retry.isPending || edit.isPending || control.isPending,
    done: retry.isSuccess || control.isSuccess,
    error: inColumnWords(failed, said) ?? control.error,
    problems,
    what:
      state === "failed"
        ? "No row was sent again."
        : failed === null && edit.isSuccess
          ? "The rows were saved. The job is still paused."
          : "No row was saved. The job is still paused.",
  }
}

/** The refusal with its problems named by row and column, as people see them, instead of by the request's own paths. */
function inColumnWords(error: Error | null, said: readonly string[]): Error | null {
  if (!(error instanceof ApiError) || said.length === 0) return error
  const more = said.length - mostSaid
  const problems = [...said.slice(0, mostSaid), ...(more > 0 ? [`${formatCount(more)} more.`] : [])]
  const { status, code, requestId, retryAfter, details } = error
  return new ApiError({ status, code, message: problems.join(" "), requestId, retryAfter, details })
}

/** The rest stands at the cells. */
const mostSaid = 3
