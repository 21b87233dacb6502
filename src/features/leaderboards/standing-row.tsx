import { Link } from "@tanstack/react-router"
import { useCan } from "../../api/session.ts"
import { valueText } from "../../lib/ranking/row-fields.ts"
import { gapText, scoreText } from "../../lib/ranking/score-text.ts"
import type { Standing } from "../../lib/ranking/standings.ts"
import { Avatar } from "../../ui/values.tsx"
import classes from "./standings-table.module.css"

interface StandingRowProps {
  row: Standing
  /** Whether the ranking has scores at all. */
  scored: boolean
  further: readonly string[]
}

/** One place. The leader is marked; on a phone the bar stands below the name and the gap below the score. */
export function StandingRow({ row, scored, further }: StandingRowProps) {
  const gap = row.leads ? "Leads" : row.gap === null ? "" : gapText(row.gap)
  return (
    <tr data-leads={row.leads || undefined}>
      <td className={classes.rank}>
        {row.rank ?? <span className="visually-hidden">No rank</span>}
        {row.tied && <span className={classes.below}>tied</span>}
      </td>
      <th scope="row" className={classes.name}>
        <span className={classes.who}>
          <Avatar name={row.name ?? row.memberId ?? ""} accent={row.leads} />
          <span className={classes.words}>
            <Who row={row} />
            {row.note !== null && (
              <bdi className={classes.below} title={row.note}>
                {row.note}
              </bdi>
            )}
            {row.share !== null && (
              <span className={classes.small} aria-hidden>
                <Bar row={row} />
              </span>
            )}
          </span>
        </span>
      </th>
      {scored && (
        <td data-end className={classes.score}>
          {scoreText(row.score, row.sentScore)}
          <span className={classes.smallGap} aria-hidden>
            {gap}
          </span>
        </td>
      )}
      {further.map((field) => (
        <td key={field} className={classes.further} title={valueText(row.fields.get(field))}>
          <bdi>{valueText(row.fields.get(field))}</bdi>
        </td>
      ))}
      {scored && (
        <td className={classes.against}>
          {row.share !== null && <Bar row={row} />}
          {row.share !== null && (
            <span className="visually-hidden">{`${Math.round(row.share * 100)} %`}</span>
          )}
        </td>
      )}
      {scored && (
        <td data-end className={classes.gap}>
          {gap}
        </td>
      )}
    </tr>
  )
}

function Bar({ row }: { row: Standing }) {
  return <span className={classes.bar} style={{ width: `${(row.share ?? 0) * 100}%` }} aria-hidden />
}

function Who({ row: { name, memberId } }: { row: Standing }) {
  const mayOpen = useCan("members.read")
  const text = name ?? memberId
  if (text === null) return <span className="text-muted">No name</span>
  // A path never leads to these two.
  const opens = mayOpen && memberId !== null && !/^\.{1,2}$/.test(memberId)
  if (!opens) {
    return (
      <bdi className={classes.text} title={text}>
        {text}
      </bdi>
    )
  }
  return (
    <Link to="/members/$memberId" params={{ memberId }} className={classes.text} title={text}>
      <bdi>{text}</bdi>
    </Link>
  )
}
