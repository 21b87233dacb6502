import { useQueries } from "@tanstack/react-query"
import type { Reversal } from "../../../../contract/job.ts"
import { memberNamesQuery } from "../../../api/member-names.ts"
import { formatPoints } from "../../../lib/format.ts"
import heads from "../../../ui/table-head.module.css"
import { rowsText } from "../jobs/job-words.ts"
import classes from "./reverse.module.css"

/** Names asked for at once. */
const mostNames = 100

/** Members who have fewer points than would be taken, first those who lack most. */
export function ShortMembers({ short }: { short: Reversal["short"] }) {
  const unnamed = short.flatMap(({ label, member_id: id }) => (label === null ? [id] : []))
  const names = useQueries({
    queries: Array.from({ length: Math.ceil(unnamed.length / mostNames) }, (_, at) =>
      memberNamesQuery(unnamed.slice(at * mostNames, (at + 1) * mostNames)),
    ),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data?.names ?? [])])),
  })
  return (
    <section aria-label="Members who no longer have the points">
      <p className="l-medium">
        {rowsText(short.length, "member")} no longer {short.length === 1 ? "has" : "have"} the points
      </p>
      <div className={classes.short}>
        <table className={classes.table}>
          <thead className={`${heads.head} ${heads.stays}`}>
            <tr>
              <th scope="col">Member</th>
              <th scope="col" data-end>
                To reverse
              </th>
              <th scope="col" data-end>
                Balance
              </th>
            </tr>
          </thead>
          <tbody>
            {short.map((member) => (
              <tr key={member.member_id}>
                <th scope="row">{member.label ?? names.get(member.member_id) ?? member.member_id}</th>
                <td data-end>{formatPoints(member.points)}</td>
                <td data-end className={classes.low}>
                  {formatPoints(member.balance)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
