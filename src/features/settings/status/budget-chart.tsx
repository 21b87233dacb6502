import { Tooltip } from "@mantine/core"
import type { BudgetView } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { timeOfDay } from "../../../lib/time.ts"
import classes from "./budget-chart.module.css"
import { chartTop, type BudgetMinute } from "./budget-scale.ts"

/** The last 30 minutes, people below, jobs above, the limit as a dashed line. `BudgetTable` says the same in words. */
export function BudgetChart({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">) {
  const top = chartTop({ limit, minutes })
  const at = (requests: number) => `${(100 * requests) / top}%`
  return (
    <div className={classes.chart} aria-hidden>
      <div className={classes.plot}>
        <Level at={at(0)} label="0" />
        <Level at={at(limit / 2)} label={formatCount(Math.round(limit / 2))} />
        <Level at={at(limit)} label={formatCount(limit)} dashed />
        <div className={classes.bars}>
          {minutes.map((minute) => (
            <Tooltip key={minute.at} label={minuteWords(minute)}>
              <div className={classes.minute}>
                {minute.jobs > 0 && <i className={classes.jobs} style={{ height: at(minute.jobs) }} />}
                {minute.people > 0 && <i className={classes.people} style={{ height: at(minute.people) }} />}
              </div>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={classes.ends}>
        <span>{minutes.length} min ago</span>
        <span>Now</span>
      </div>
    </div>
  )
}

function Level({ at, label, dashed = false }: { at: string; label: string; dashed?: boolean }) {
  return (
    <div className={classes.level} data-dashed={dashed || undefined} style={{ bottom: at }}>
      <span>{label}</span>
    </div>
  )
}

function minuteWords({ at, people, jobs }: BudgetMinute): string {
  return `${timeOfDay(at)}: people ${formatCount(people)}, jobs ${formatCount(jobs)}`
}
