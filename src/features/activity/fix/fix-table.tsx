import { Button, Textarea } from "@mantine/core"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { limits } from "../../../../contract/limits.ts"
import { useJobAccess } from "../../../api/session.ts"
import { useLeaveGuard } from "../../../forms/form.tsx"
import { formatCount } from "../../../lib/format.ts"
import { Check } from "../../../lists/list-table.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import heads from "../../../ui/table-head.module.css"
import { pauseWords } from "../job/pause-words.ts"
import { rowsText } from "../jobs/job-words.ts"
import { outcomeWords } from "../jobs/row-words.ts"
import { fixColumns } from "./fix-model.ts"
import { FixRow } from "./fix-row.tsx"
import classes from "./fix.module.css"
import { useTemplateHint } from "./fix-card.ts"
import { useFix } from "./use-fix.ts"
import { useSendFixed } from "./use-send-fixed.ts"
import type { OpenRows, OpenState } from "./use-open-rows.ts"

/** Rows drawn at once. */
const perPage = 50

interface FixTableProps {
  job: Job
  state: OpenState
  open: OpenRows
  onLeave: () => void
}

/** The rows with what can be corrected as fields, and the one button that sends them again or goes on with them. */
export function FixTable({ job, state, open, onLeave }: FixTableProps) {
  const { rows, total } = open
  const isFailed = state === "failed"
  const fix = useFix(job.kind, rows)
  const send = useSendFixed(job.id, state, fix)
  const suggest = useTemplateHint(job.kind)
  const access = useJobAccess(job)
  const [reason, setReason] = useState("")
  const [page, setPage] = useState(0)
  const [showProblems, setShowProblems] = useState(false)
  const guard = useLeaveGuard({
    unsaved: fix.edited > 0 && !send.done,
    survivesReload: false,
    onDiscard: fix.drop,
  })

  const fields = fixColumns(job.kind, rows)
  const count = fix.chosen.length
  const shown = rows.slice(page * perPage, (page + 1) * perPage)
  const submit = () => {
    setShowProblems(true)
    const wrong = rows.findIndex(({ row }) => fix.problemsOf(row) !== undefined)
    if (wrong >= 0) return setPage(Math.floor(wrong / perPage))
    if (count > 0 && !send.busy) void send.start(reason.trim(), onLeave)
    return undefined
  }
  return (
    <>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={classes.intro}>
          <h2>
            {isFailed
              ? `Fix ${rowsText(rows.length, "failed row")}`
              : `Edit ${rowsText(rows.length, "unsent row")}`}
          </h2>
          <p className="text-secondary">
            {isFailed
              ? "Nothing was done for these rows. Correct them and send them again. Unchanged rows are retried as they are."
              : "Nothing was done for these rows. Correct them, then resume: they are sent as they are here."}
            {total > rows.length &&
              ` These are the first ${formatCount(rows.length)} of ${formatCount(total)}.`}
          </p>
        </div>
        <div className={classes.scroller} data-scroll-restoration-id="list-fix">
          <table className={classes.table} aria-label={isFailed ? "Failed rows" : "Unsent rows"}>
            <thead className={`${heads.head} ${heads.stays}`}>
              <tr>
                {isFailed && (
                  <th scope="col" className={classes.pick}>
                    <Check
                      label="Send every row again"
                      checked={count === rows.length}
                      some={count > 0}
                      onChange={() => fix.chooseAll(count !== rows.length)}
                    />
                  </th>
                )}
                <th scope="col" className={classes.number}>
                  Row
                </th>
                <th scope="col">{isFailed ? "What went wrong" : "State"}</th>
                {fields.map(({ key, label, end }) => (
                  <th key={key} scope="col" data-end={end || undefined} data-field={key}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <FixRow
                  key={row.row}
                  fields={fields}
                  row={row}
                  fix={fix}
                  leavable={isFailed}
                  why={
                    isFailed ? outcomeWords(row) : row.attempts === 0 ? "Not sent yet" : pauseWords(job).title
                  }
                  serverProblems={send.problems.get(row.row)}
                  suggest={suggest}
                  showProblems={showProblems}
                />
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
          {send.error !== null && <ErrorNotice error={send.error} what={send.what} />}
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
              loading={send.busy}
              disabled={count === 0 || !access.write || (access.needsReason && reason.trim() === "")}
            >
              {isFailed ? `Send ${rowsText(count)} again` : fix.edited > 0 ? "Save and resume" : "Resume"}
            </Button>
          </div>
        </footer>
      </form>
      {guard.dialog}
    </>
  )
}
