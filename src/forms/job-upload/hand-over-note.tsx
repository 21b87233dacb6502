import { formatCount } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import classes from "./hand-over-note.module.css"

interface HandOverNoteProps {
  busy: boolean
  error: Error | null
  /** Rows the server has. */
  done: number
  total: number
  onRetry: () => void
}

/** How far the handing over of rows is, or why it stopped. Nothing is sent to the service before all are there. */
export function HandOverNote({ busy, error, done, total, onRetry }: HandOverNoteProps) {
  if (busy) {
    return (
      <div className={classes.progress}>
        <progress aria-label="Uploading rows…" value={done} max={Math.max(total, 1)} />
        <output className="l-num l-meta text-secondary">
          {formatCount(done)} of {formatCount(total)} rows handed over. After that you can leave.
        </output>
      </div>
    )
  }
  if (error === null) return null
  return (
    <ErrorNotice
      error={error}
      what={`Nothing was sent to the service. ${formatCount(done)} of ${formatCount(total)} rows are uploaded; try again to continue.`}
      onRetry={onRetry}
    />
  )
}
