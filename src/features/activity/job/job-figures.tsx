import type { Job } from "../../../../contract/job.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { duration, millis } from "../../../lib/time.ts"
import { type Figure, Figures } from "../../../ui/page-header.tsx"
import { ProgressBar } from "../jobs/progress-bar.tsx"
import { rowWords, stateOrder } from "../jobs/row-words.ts"
import { isOnHold, rowsDone } from "../jobs/job-words.ts"
import { StateMark } from "../jobs/state-mark.tsx"
import classes from "./job.module.css"

/** How far it is, how fast, how much is confirmed; the bar, and how many rows stand in each state. */
export function JobFigures({ job }: { job: Job }) {
  return (
    <section aria-label="Progress" className={classes.figures}>
      <Figures items={figuresOf(job)} />
      <div className={classes.bar}>
        <ProgressBar job={job} />
        <ul className={classes.legend}>
          {[...stateOrder, "excluded" as const]
            .filter((state) => job.counts[state] > 0)
            .map((state) => (
              <li key={state}>
                <StateMark word={rowWords[state]} /> <b className="l-num">{formatCount(job.counts[state])}</b>
              </li>
            ))}
        </ul>
      </div>
    </section>
  )
}

function figuresOf(job: Job): Figure[] {
  const { pace, points } = job
  const figures: Figure[] = [
    {
      label: "Done",
      value: <Of value={formatCount(rowsDone(job))} of={`of ${formatCount(job.total)} rows`} />,
    },
  ]
  if (isOnHold(job)) {
    // It sends nothing, so it has neither a rate nor an end.
  } else if (job.state === "running" || job.state === "cancelling") {
    figures.push(
      {
        label: "Rate",
        value:
          pace === null ? <Nothing /> : <Of value={formatCount(Math.round(pace.per_minute))} of="a minute" />,
      },
      { label: "Time left", value: timeLeft(job) },
    )
  } else if (job.started_at !== null && job.finished_at !== null) {
    const took = Math.max(0, millis(job.finished_at) - millis(job.started_at))
    figures.push({ label: "Took", value: duration(took) })
  }
  if (points !== null) {
    const label = points.total < 0 ? "Points reversed" : "Points confirmed"
    figures.push({
      label: job.kind === "deduct" && job.reverses === null ? "Points deducted" : label,
      value: (
        <Of
          value={formatPoints(Math.abs(points.confirmed))}
          of={`of ${formatPoints(Math.abs(points.total))}`}
        />
      ),
    })
  }
  return figures
}

function timeLeft(job: Job) {
  if (job.counts.planned + job.counts.sent === 0 && job.counts.unknown > 0) return "Looking up"
  const left = job.pace?.ms_left ?? null
  return left === null ? <Nothing /> : duration(Math.max(1000, left))
}

function Of({ value, of }: { value: string; of: string }) {
  return (
    <>
      {value} <span className={classes.of}>{of}</span>
    </>
  )
}

function Nothing() {
  return <span className={classes.of}>Not known yet</span>
}
