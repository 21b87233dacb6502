import { scoreText } from "../../../lib/ranking/score-text.ts"
import { spreadOf } from "../../../lib/ranking/spread.ts"
import type { Standing } from "../../../lib/ranking/standings.ts"
import classes from "./board-side.module.css"

const ordinals = new Map([
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [5, "fifth"],
  [6, "sixth"],
  [7, "seventh"],
  [8, "eighth"],
  [9, "ninth"],
  [10, "tenth"],
])

/** How far the places lie apart. */
export function SpreadFacts({ rows }: { rows: readonly Standing[] }) {
  const { reach, median, closest } = spreadOf(rows)
  if (reach === null && median === null && closest === null) return null
  return (
    <section className={classes.part}>
      <h3>Spread</h3>
      <dl className={classes.facts}>
        {reach !== null && (
          <div>
            <dt>{`First to ${ordinals.get(reach.to) ?? "last"}`}</dt>
            <dd>{scoreText(reach.points, "")}</dd>
          </div>
        )}
        {median !== null && (
          <div>
            <dt>Median</dt>
            <dd>{scoreText(median, "")}</dd>
          </div>
        )}
        {closest !== null && (
          <div>
            <dt>Closest race</dt>
            <dd>
              {`${closest.ahead.rank ?? "No rank"} and ${closest.behind.rank ?? "no rank"}, `}
              {`${scoreText(closest.apart, "")} apart`}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
