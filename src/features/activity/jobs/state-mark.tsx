import type { Job } from "../../../../contract/job.ts"
import type { StatusWord } from "../../../ui/status.tsx"
import classes from "../../../ui/status.module.css"
import { jobWord } from "./job-words.ts"
import own from "./state-mark.module.css"

interface StateMarkProps {
  word: StatusWord
  /** Tinted, only beside an `h1`. */
  pill?: boolean
  /** Somebody is needed: the word is coloured too. */
  asks?: boolean
}

/** A state of a job or of a row: an icon and a word, never colour alone. */
export function StateMark({ word: { icon: Icon, tone, word }, pill = false, asks = false }: StateMarkProps) {
  return (
    <span
      className={asks ? `${classes.status} ${own.asks}` : classes.status}
      data-tone={tone}
      data-pill={pill || undefined}
    >
      <Icon size={15} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  )
}

/** A job's status. */
export function JobStatus({ job, pill = false }: { job: Job; pill?: boolean }) {
  const word = jobWord(job)
  return <StateMark word={word} pill={pill} asks={word.asks && !pill} />
}
