import type { Job } from "../../../../contract/job.ts"
import { rowsDone, rowsText } from "./job-words.ts"
import classes from "./progress-bar.module.css"
import { rowWords, stateOrder } from "./row-words.ts"

interface ProgressBarProps {
  job: Pick<Job, "total" | "counts">
  /** 10 px on the job's own page, 6 px in a list. */
  size?: "page" | "row"
}

/** How far a job is, in sections by state; what is planned is the track. */
export function ProgressBar({ job, size = "page" }: ProgressBarProps) {
  const { total, counts } = job
  const said = stateOrder
    .filter((state) => counts[state] > 0)
    .map((state) => `${rowWords[state].word.toLowerCase()} ${counts[state]}`)
    .join(", ")
  return (
    <span className={classes.around} data-size={size}>
      <progress
        className="visually-hidden"
        aria-label="Progress"
        max={Math.max(1, total)}
        value={rowsDone(job)}
        aria-valuetext={`${rowsDone(job)} of ${rowsText(total)}: ${said}`}
      />
      <span className={classes.bar} aria-hidden>
        {stateOrder.map((state) => {
          const share = state === "planned" || total === 0 ? 0 : (counts[state] / total) * 100
          // One row of thousands is still seen.
          return share === 0 ? null : (
            <span
              key={state}
              className={classes.part}
              data-tone={rowWords[state].tone}
              style={{ width: `max(${share.toFixed(3)}%, 3px)` }}
            />
          )
        })}
      </span>
    </span>
  )
}
