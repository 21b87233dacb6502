import { Button, Textarea } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Input.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useState } from "react"
import type { Job } from "../../../../contract/desk/job.ts"
import { limits } from "../../../../contract/limits.ts"
import { useRetryJob } from "../../../api/job-writes.ts"
import { useLeaveGuard } from "../../../form/leave-guard.tsx"
import { formatCount } from "../../../lib/format.ts"
import { Check } from "../../../list/check.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import heads from "../../../ui/table-head.module.css"
import { useJobAccess } from "../job/job-access.ts"
import { rowsText } from "../jobs/job-words.ts"
import { fixColumns } from "./fix-model.ts"
import { FixRow } from "./fix-row.tsx"
import classes from "./fix.module.css"
import { useFix } from "./use-fix.ts"
import type { FailedRows } from "./use-failed-rows.ts"

/** Rows drawn at once. */
const perPage = 50

interface FixTableProps {
  job: Job
  failed: FailedRows
  onLeave: () => void
}

/** The failed rows with what can be mended as fields, and the one button that sends them again. */
export function FixTable({ job, failed, onLeave }: FixTableProps) {
  const { rows, total } = failed
  const fix = useFix(job.kind, rows)
  const retry = useRetryJob(job.id)
  const access = useJobAccess(job)
  const [reason, setReason] = useState("")
  const [page, setPage] = useState(0)
  const [showProblems, setShowProblems] = useState(false)
  const guard = useLeaveGuard({
    unsaved: fix.edited > 0 && !retry.isSuccess,
    survivesReload: false,
    onDiscard: fix.drop,
  })

  const fields = fixColumns(job.kind, rows)
  const count = fix.chosen.length
  const shown = rows.slice(page * perPage, (page + 1) * perPage)
  const send = () => {
    setShowProblems(true)
    const wrong = rows.findIndex(({ row }) => fix.problemsOf(row) !== undefined)
    if (wrong >= 0) return setPage(Math.floor(wrong / perPage))
    if (count === 0 || retry.isPending) return undefined
    const said = reason.trim() === "" ? {} : { reason: reason.trim() }
    retry.mutate({ rows: fix.body(), ...said }, { onSuccess: onLeave })
    return undefined
  }
  return (
    <>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <div className={classes.intro}>
          <h2>Fix {rowsText(rows.length, "failed row")}</h2>
          <p className="l-2">
            Nothing was done for these rows. Correct them and send them again. Unchanged rows are retried as
            they are.
            {total > rows.length &&
              ` These are the first ${formatCount(rows.length)} of ${formatCount(total)}.`}
          </p>
        </div>
        <div className={classes.scroller} data-scroll-restoration-id="list-fix">
          <table className={classes.table} aria-label="Failed rows">
            <thead className={`${heads.head} ${heads.stays}`}>
              <tr>
                <th scope="col" className={classes.pick}>
                  <Check
                    label="Send every row again"
                    checked={count === rows.length}
                    some={count > 0}
                    onChange={() => fix.chooseAll(count !== rows.length)}
                  />
                </th>
                <th scope="col" className={classes.number}>
                  Row
                </th>
                <th scope="col">What went wrong</th>
                {fields.map(({ key, label, end }) => (
                  <th key={key} scope="col" data-end={end || undefined} data-field={key}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <FixRow key={row.row} fields={fields} row={row} fix={fix} showProblems={showProblems} />
              ))}
            </tbody>
          </table>
        </div>
        <footer className={classes.foot}>
          {access.needsReason && (
            <Textarea
              className={classes.reason}
              aria-label={`Reason (this is ${job.created_by.name}’s job)`}
              placeholder={`Reason (this is ${job.created_by.name}’s job)`}
              autosize
              minRows={1}
              maxLength={limits.reason}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          {retry.error !== null && <ErrorNotice error={retry.error} what="No rows were sent again." />}
          <div className={classes.end}>
            {rows.length > perPage && (
              <nav className={classes.pages} aria-label="Pages">
                <IconButton
                  label="Previous rows"
                  icon={<IconChevronLeft size={16} stroke={1.75} />}
                  disabled={page === 0}
                  onClick={() => setPage(page - 1)}
                />
                <span className="l-meta l-num">
                  {formatCount(page * perPage + 1)}–{formatCount(page * perPage + shown.length)} of{" "}
                  {formatCount(rows.length)}
                </span>
                <IconButton
                  label="Next rows"
                  icon={<IconChevronRight size={16} stroke={1.75} />}
                  disabled={(page + 1) * perPage >= rows.length}
                  onClick={() => setPage(page + 1)}
                />
              </nav>
            )}
            <Button onClick={onLeave}>Cancel</Button>
            <Button
              type="submit"
              variant="filled"
              loading={retry.isPending}
              disabled={count === 0 || !access.write || (access.needsReason && reason.trim() === "")}
            >
              Send {rowsText(count)} again
            </Button>
          </div>
        </footer>
      </form>
      {guard.dialog}
    </>
  )
}
