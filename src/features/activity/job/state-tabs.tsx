import type { Job } from "../../../../contract/job.ts"
import { Segmented } from "../../../ui/segmented.tsx"
import { rowWords } from "../jobs/row-words.ts"
import type { JobSearch } from "./job-search.ts"
import classes from "./job.module.css"

type State = NonNullable<JobSearch["state"]>

/** Always there, so that the control does not jump while the job runs. */
const usual = ["failed", "unknown", "sent", "planned", "confirmed"] as const
/** Only where there are some. */
const seldom = ["absent", "conflict", "excluded"] as const

interface StateTabsProps {
  job: Job
  chosen: State | undefined
  onChoose: (state: State | undefined) => void
}

/** Which rows are shown. */
export function StateTabs({ job, chosen, onChoose }: StateTabsProps) {
  const states: State[] = [
    ...(job.attention > 0 || chosen === "attention" ? (["attention"] as const) : []),
    ...usual,
    ...seldom.filter((state) => job.counts[state] > 0 || chosen === state),
  ]
  const options = states.map((value) => ({
    value,
    label: value === "attention" ? "Your decision needed" : rowWords[value].word,
  }))
  return (
    <div className={classes.tabs}>
      <Segmented<State | "all">
        label="State of the rows"
        value={chosen ?? "all"}
        options={[{ value: "all", label: "All" }, ...options]}
        onChange={(value) => onChoose(value === "all" ? undefined : value)}
      />
    </div>
  )
}
