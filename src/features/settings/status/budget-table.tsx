import { VisuallyHidden } from "@mantine/core"
import type { BudgetView } from "../../../../contract/status.ts"
import { exact } from "../../../lib/time.ts"

/** What the chart shows, for whoever does not see it. */
export function BudgetTable({ limit, minutes }: Pick<BudgetView, "limit" | "minutes">) {
  return (
    <VisuallyHidden>
      <table>
        <caption>
          Requests in the last {minutes.length} minutes; limit {limit} a minute
        </caption>
        <thead>
          <tr>
            <th scope="col">Minute</th>
            <th scope="col">People</th>
            <th scope="col">Jobs</th>
          </tr>
        </thead>
        <tbody>
          {minutes.map(({ at, people, jobs }) => (
            <tr key={at}>
              <th scope="row">{exact(at)}</th>
              <td>{people}</td>
              <td>{jobs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
