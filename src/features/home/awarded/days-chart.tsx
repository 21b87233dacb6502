import { formatPoints } from "../../../lib/format.ts"
import { axisTop, axisWord, awardsSentence, dayWord, type AwardDay } from "./award-days.ts"
import classes from "./days-chart.module.css"

/** Days named below the bars, counted from today. */
const namedEvery = 10

/**
 * A bar for each day, today's marked. Thirty bars from 0 need no charting library: it would be the largest part of
 * what the first page of the day loads.
 */
export function DaysChart({ days }: { days: readonly AwardDay[] }) {
  const top = axisTop(Math.max(...days.map(({ points }) => points)))
  const last = days.length - 1
  return (
    <figure className={classes.chart}>
      <figcaption className="visually-hidden">{awardsSentence(days)}</figcaption>
      <div className={classes.plot} aria-hidden>
        {[1, 0.5, 0].map((share) => (
          <span key={share} className={classes.grid} style={{ bottom: `${share * 100}%` }}>
            {axisWord(top * share)}
          </span>
        ))}
        <div className={classes.bars}>
          {days.map(({ day, points }, at) => (
            <span
              key={day}
              className={classes.slot}
              title={`${at === last ? "Today" : dayWord(day)}: ${formatPoints(points)}`}
            >
              {points > 0 && (
                <span
                  className={classes.bar}
                  data-today={at === last || undefined}
                  style={{ height: `max(${(points / top) * 100}%, 2px)` }}
                />
              )}
              {(at === 0 || (last - at) % namedEvery === 0) && (
                <span className={classes.day}>{at === last ? "Today" : dayWord(day)}</span>
              )}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}
