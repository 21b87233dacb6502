import type { CSSProperties } from "react"
import { scoreText } from "../../../lib/ranking/score-text.ts"
import type { Standing, Standings } from "../../../lib/ranking/standings.ts"
import classes from "./wall.module.css"

/** Places below one another before a second column begins, where the screen is wide enough. */
const perColumn = 15

/** The places in large type, as tall as the screen allows. */
export function WallPlaces({ standings, label }: { standings: Standings; label: string }) {
  const columns = Math.min(3, Math.ceil(standings.rows.length / perColumn))
  const places = Math.ceil(standings.rows.length / columns)
  const shape: CSSProperties & Record<`--${string}`, number> = { "--columns": columns, "--places": places }
  return (
    <section
      className={classes.scroller}
      aria-label={`${label}, places`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where not all fits, also by keyboard
      tabIndex={0}
    >
      <ol className={classes.places} style={shape}>
        {standings.rows.map((row) => (
          <Place key={row.at} row={row} />
        ))}
      </ol>
    </section>
  )
}

function Place({ row }: { row: Standing }) {
  return (
    <li className={classes.place} data-leads={row.leads || undefined}>
      <span className={classes.rank}>
        {row.rank ?? ""}
        {row.tied && <span className="visually-hidden"> tied</span>}
      </span>
      <span className={classes.who}>
        <bdi className={classes.name}>{row.name ?? row.memberId ?? "No name"}</bdi>
        {row.note !== null && <bdi className={classes.note}>{row.note}</bdi>}
      </span>
      <span className={classes.score}>{scoreText(row.score, row.sentScore)}</span>
      {row.share !== null && (
        <span className={classes.track} aria-hidden>
          <span className={classes.bar} style={{ width: `${row.share * 100}%` }} />
        </span>
      )}
    </li>
  )
}
