import { type BookStatement, differenceClasses, monthName } from "../../../contract/books.ts"
import { useSession } from "../../api/session.ts"
import { formatCount, formatSigned } from "../../lib/format.ts"
import { longDay, timeOfDay } from "../../lib/time.ts"
import { EnvBadge } from "../../ui/brand.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { classTexts, classTotals, dayAndTime, stateText } from "./book-words.ts"
import classes from "./books.module.css"
import { Statement } from "./statement.tsx"

/** The statement as one A4 page; on the screen nothing. */
export function PrintSheet({ statement }: { statement: BookStatement }) {
  const { month, as_of, closed_by, state, from, to, time_zone } = statement
  const { program, environment, user } = useSession()
  const now = useServerNow("half-minute")
  const totals = classTotals(statement)
  const last = new Date(Date.parse(to) - 1).toISOString()
  return (
    <article data-papers className={classes.paper} aria-label={`Books of ${monthName(month)}`}>
      <header>
        <div>
          <div>{program.name}</div>
          <h2>Books, {monthName(month)}</h2>
          <div className="text-secondary">
            {longDay(from)} to {longDay(last)}, {time_zone}
          </div>
        </div>
        <div style={{ textAlign: "end" }}>
          {environment !== "production" && <EnvBadge environment={environment} />}
          <div className="l-strong">{stateText(statement).word}</div>
          <div>
            As of {dayAndTime(as_of)}
            {state === "closed" && closed_by !== null && `, closed by ${closed_by.name}`}
          </div>
          <div className="text-secondary">
            Printed {longDay(now)}, {timeOfDay(now)}, {user.name}
          </div>
        </div>
      </header>
      <section>
        <Statement statement={statement} />
      </section>
      <section>
        <h3>Differences</h3>
        <table className={classes.statement} aria-label="Differences by class">
          <thead className="table-head">
            <tr>
              {["Class", "Number", "Points"].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differenceClasses.map((each) => (
              <tr key={each}>
                <th scope="row">{classTexts[each].label}</th>
                <td className="l-num">{formatCount(totals[each].entries)}</td>
                <td className="l-num">{formatSigned(totals[each].points)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </article>
  )
}
