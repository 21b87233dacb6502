import { Link } from "@tanstack/react-router"
import { asSent } from "../../../contract/reading.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { useCan } from "../../api/session.ts"
import type { ListColumn } from "../../lists/list-columns.ts"
import links from "../../lists/list-table.module.css"
import { Status } from "../../ui/status.tsx"
import { Points } from "../../ui/values.tsx"
import { isInactive, rewardAbout, rewardName, RewardPicture, Stock } from "./reward-view.tsx"
import classes from "./rewards.module.css"

/** The columns of the catalogue as a table. */
export const rewardColumns: readonly ListColumn<Reward>[] = [
  {
    id: "name",
    label: "Reward",
    touch: "phone",
    value: rewardName,
    cell: (reward, layout) => (
      <span className={classes.rowName}>
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
    ),
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

interface RewardCardsProps {
  rewards: readonly Reward[]
  waiting: "no" | "yes" | "late"
}

/** The catalogue as cards. The whole card opens the reward; bars of the same size stand where the first ones will be. */
export function RewardCards({ rewards, waiting }: RewardCardsProps) {
  const mayRedeem = useCan("rewards.redeem")
  if (waiting === "late") {
    return (
      <output className={classes.cards}>
        <span className="visually-hidden">Loading…</span>
        {Array.from({ length: 8 }, (_, at) => (
          <span key={at} className={`${classes.card} ${classes.bars}`} aria-hidden>
            <span className={classes.blank} />
            <span className={classes.bar} data-bar="name" />
            <span className={classes.bar} data-bar="cost" />
          </span>
        ))}
      </output>
    )
  }
  if (rewards.length === 0) return null
  return (
    <ul className={classes.cards} aria-label="Rewards" aria-busy={waiting !== "no"}>
      {rewards.map((reward) => (
        <li key={reward.id} className={classes.card} data-out={isOut(reward) || undefined}>
          <RewardPicture src={reward.image_url} size="card" />
          <div className={classes.cardText}>
            <Link
              to="/rewards/$rewardId"
              params={{ rewardId: reward.id }}
              className={`${classes.cardName} truncate`}
              title={rewardName(reward)}
            >
              {rewardName(reward)}
            </Link>
            <span className={`${classes.about} l-meta text-muted truncate`}>{rewardAbout(reward)}</span>
            <span className={classes.line}>
              <span>
                <span className={classes.cost}>
                  <Points value={reward.points_cost} />
                </span>{" "}
                {typeof reward.points_cost === "number" && <span className="text-muted l-meta">points</span>}
              </span>
              <span className="l-meta">
                {isInactive(reward) ? (
                  <Status of="reward" value={reward.status} />
                ) : (
                  <Stock stock={reward.stock} sent={asSent(reward, "stock")} />
                )}
              </span>
            </span>
          </div>
          {mayRedeem && (
            <Link
              from="/rewards"
              to="/rewards/redeem"
              search={(now) => ({ ...now, for: undefined, reward: reward.id })}
              resetScroll={false}
              className={classes.redeem}
              aria-label={`Redeem ${rewardName(reward)}`}
            >
              Redeem
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function isOut(reward: Reward): boolean {
  return isInactive(reward) || (typeof reward.stock === "number" && reward.stock <= 0)
}
