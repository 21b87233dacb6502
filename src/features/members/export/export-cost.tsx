import { limits } from "../../../../contract/limits.ts"
import { requestsFor } from "../../../api/paging.ts"
import { cost } from "../../../lib/format.ts"

/** What an export costs of the budget that the whole team shares, and that it waits for people. */
export function ExportCost({ total }: { total: number | undefined }) {
  return (
    <p className="text-secondary">
      {total === undefined ? "One request per 100 rows" : cost(requestsFor(total, limits.perPage.max))},
      shared by the whole team. It runs in the background after other people’s requests, so it may take
      longer.
    </p>
  )
}
