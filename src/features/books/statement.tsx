import type { BookStatement } from "../../../contract/books.ts"
import { counted, formatPoints, formatSigned } from "../../lib/format.ts"
import { coverageText, notSeenText, type StatementLine, statementLines } from "./book-words.ts"
import classes from "./books.module.css"

/** The points of a month as one table that adds up, with what they rest on. On paper too. */
export function Statement({ statement }: { statement: BookStatement }) {
  const { awaiting, missing } = statement
  return (
    <>
      <table className={classes.statement} aria-label="Statement">
        <thead className="table-head">
          <tr>
            <th scope="col">Statement</th>
            <th scope="col">With Laurel</th>
            <th scope="col">Elsewhere</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {statementLines(statement).map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </tbody>
      </table>
      <p className="text-secondary">
        {coverageText(statement)} {notSeenText}
      </p>
      {awaiting.entries > 0 && (
        <p className="text-secondary">
          Awaiting approval and in no balance yet: {counted(awaiting.entries, "entry")},{" "}
          {formatSigned(awaiting.points)} points.
        </p>
      )}
      {missing.entries > 0 && (
        <p className="text-secondary">
          Confirmed by Laurel and in no ledger read since then: {counted(missing.entries, "entry")},{" "}
          {formatSigned(missing.points)} points.
        </p>
      )}
    </>
  )
}

function Line({ line }: { line: StatementLine }) {
  const { key, label, points, counted, isBalance, ours, foreign } = line
  return (
    <tr
      data-balance={isBalance || undefined}
      data-asks={(key === "unexplained" && counted !== "") || undefined}
    >
      <th scope="row">
        {label} <span className="caption nowrap">{counted}</span>
      </th>
      <td>{ours !== null && <Amount points={ours} />}</td>
      <td>{foreign !== null && <Amount points={foreign} />}</td>
      <td>
        {isBalance ? (
          <span className="l-num l-strong">{formatPoints(points)}</span>
        ) : (
          <Amount points={points} total />
        )}
      </td>
    </tr>
  )
}

function Amount({ points, total = false }: { points: number; total?: boolean }) {
  const tone = points === 0 ? "text-muted" : total ? "l-medium" : "text-secondary"
  return <span className={`l-num nowrap ${tone}`}>{formatSigned(points)}</span>
}
