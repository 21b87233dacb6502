import type { RankingReading } from "../../lib/ranking/read-ranking.ts"
import { fieldPath } from "../../lib/ranking/row-fields.ts"
import heads from "../../ui/table-head.module.css"
import { StandingRow } from "./standing-row.tsx"
import classes from "./standings-table.module.css"

interface StandingsTableProps {
  reading: RankingReading
  label: string
  /** Further fields beside the score. */
  further: readonly string[]
}

/** Who stands where. A leaderboard is its own chart: the bar stands in the row. */
export function StandingsTable({ reading, label, further }: StandingsTableProps) {
  const { standings, roles } = reading
  const scored = roles.score !== null
  return (
    <section
      className={classes.scroller}
      data-scroll-restoration-id={`list-${label}`}
      aria-label={`${label}, places`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <table className={classes.table} aria-label={label} style={{ minWidth: further.length * 120 }}>
        <caption className={classes.order}>{orderWords(reading)}</caption>
        <thead className={`${heads.head} ${heads.stays}`}>
          <tr>
            <th scope="col" className={classes.rank}>
              Rank
            </th>
            <th scope="col" className={classes.name}>
              Name
            </th>
            {scored && (
              <th scope="col" data-end className={classes.score}>
                Score
              </th>
            )}
            {further.map((field) => (
              <th key={field} scope="col" className={classes.further} title={field}>
                <bdi>{fieldPath(field).at(-1)}</bdi>
              </th>
            ))}
            {scored && (
              <th scope="col" className={classes.against}>
                {standings.leader === "lowest" ? "% of highest" : "% of leader"}
              </th>
            )}
            {scored && (
              <th scope="col" data-end className={classes.gap}>
                Gap to next
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {standings.rows.map((row) => (
            <StandingRow key={row.at} row={row} scored={scored} further={further} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** How the places came about, where that is not plain; nothing when it is. */
function orderWords({ standings, roles }: RankingReading): string {
  const words: string[] = []
  if (standings.ranks === "none") {
    words.push("No ranks were sent, so rows are numbered in order")
    if (roles.score !== null) words.push("equal scores share a place")
  }
  if (standings.ranks === "some") words.push("rows without a rank are last")
  if (standings.leader === "lowest")
    words.push(words.length === 0 ? "The lowest score leads" : "the lowest score leads")
  return words.length === 0 ? "" : `${words.join(", ")}.`
}
