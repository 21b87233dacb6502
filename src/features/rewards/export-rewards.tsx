import { limits } from "../../../contract/limits.ts"
import { rewardListReader } from "../../../contract/program/reward.ts"
import type { RewardFacetsQuery } from "../../../contract/rewards.ts"
import { apiPath } from "../../api/request.ts"
import { counted } from "../../lib/format.ts"
import { isoDayOf } from "../../lib/time.ts"
import { DownloadDialog, exportTask } from "../../forms/download.tsx"

/** Exports all rewards of the local copy that match the list’s filters. Needs `exports.people`. */
export function ExportRewards(props: {
  filter: RewardFacetsQuery
  total: number | undefined
  onClose: () => void
}) {
  const { filter, total, onClose } = props
  return (
    <DownloadDialog
      title="Export rewards"
      action={`Export ${total === undefined ? "rewards" : counted(total, "reward")}`}
      ready={total !== 0}
      task={() =>
        exportTask({
          name: `Rewards ${isoDayOf(Date.now())}`,
          body: {
            kind: "rewards",
            filter: Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
          },
          path: apiPath("rewards"),
          perPage: limits.copyPage,
          query: { ...filter },
          schema: rewardListReader.tolerant,
          idOf: ({ id }) => id,
          columns,
          cellsOf: (rewards) => rewards.map((reward) => columns.map((column) => reward[column] ?? undefined)),
          total,
        })
      }
      onClose={onClose}
    >
      <p>
        A file with{" "}
        {Object.keys(filter).length > 0 ? "the rewards that match the filters in use" : "every reward"}. Who
        exported it, and when, is in the audit log.
      </p>
    </DownloadDialog>
  )
}

const columns = [
  "id",
  "name",
  "description",
  "category",
  "type",
  "status",
  "points_cost",
  "stock",
  "image_url",
] as const
