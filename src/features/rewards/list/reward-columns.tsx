import { Link } from "@tanstack/react-router"
import { asSent } from "../../../../contract/reading.ts"
import type { Reward } from "../../../../contract/program/reward.ts"
import type { ListColumn, ListLayout } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Points } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { RewardPicture } from "../show/reward-picture.tsx"
import { rewardAbout, rewardName } from "../show/reward-words.ts"
import { Stock } from "../show/stock.tsx"
import classes from "./reward-columns.module.css"

/** The table of the catalogue. */
export const rewardColumns: readonly ListColumn<Reward>[] = [
  {
    id: "name",
    label: "Reward",
    touch: "phone",
    value: rewardName,
    cell: (reward, layout) => <NameCell reward={reward} layout={layout} />,
  },
  {
    id: "category",
    label: "Category",
    width: 168,
    value: ({ category }) => category ?? undefined,
    cell: ({ category }) => <span className="text-secondary truncate">{category}</span>,
  },
  {
    id: "type",
    label: "Type",
    width: 112,
    value: ({ type }) => type ?? undefined,
    cell: ({ type }) => <Status of="reward-type" value={type} />,
  },
  {
    id: "status",
    label: "Status",
    width: 112,
    touch: "tablet",
    value: ({ status }) => status ?? undefined,
    cell: ({ status }) => <Status of="reward" value={status} />,
  },
  {
    id: "stock",
    label: "Stock",
    width: 144,
    touch: "tablet",
    // Unlimited is more than any number of pieces.
    value: ({ stock }) => (stock === null ? Number.MAX_SAFE_INTEGER : stock),
    cell: (reward) => <Stock stock={reward.stock} sent={asSent(reward, "stock")} />,
  },
  {
    id: "cost",
    label: "Points",
    width: 112,
    end: true,
    touch: "phone",
    value: ({ points_cost }) => points_cost ?? undefined,
    cell: (reward) => <Points value={reward.points_cost} sent={asSent(reward, "points_cost")} />,
  },
]

function NameCell({ reward, layout }: { reward: Reward; layout: ListLayout }) {
  return (
    <span className={classes.what}>
      <RewardPicture src={reward.image_url} size="small" />
      <span className={classes.lines}>
        <Link
          to="/rewards/$rewardId"
          params={{ rewardId: reward.id }}
          data-row-link
          className={`${links.link} truncate`}
        >
          {rewardName(reward)}
        </Link>
        {layout !== "wide" && <span className="l-meta text-muted truncate">{rewardAbout(reward)}</span>}
      </span>
    </span>
  )
}
