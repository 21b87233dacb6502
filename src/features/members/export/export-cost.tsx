import { limits } from "../../../../contract/limits.ts"
import { requestsFor } from "../../../api/paging.ts"
import { cost } from "../../../lib/cost.ts"

/** What an export costs of the budget that the whole team shares, and that it waits for people. */
export function ExportCost({ total }: { total: number | undefined }) {
  return (
    <p className="l-2">
      {total === undefined ? "One request for every 100 rows" : cost(requestsFor(total, limits.perPage.max))},
      of those the whole team shares. It goes in the background: people at the desk come first, so it may take
      longer.
    </p>
  )
}
