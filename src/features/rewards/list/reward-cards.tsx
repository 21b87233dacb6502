import { Link } from "@tanstack/react-router"
import type { Reward } from "../../../../contract/program/reward.ts"
import { asSent } from "../../../../contract/reading.ts"
import { useCan } from "../../../api/session.ts"
import { Points } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { RewardPicture } from "../show/reward-picture.tsx"
import { isInactive, rewardAbout, rewardName } from "../show/reward-words.ts"
import { Stock } from "../show/stock.tsx"
import classes from "./reward-cards.module.css"

/** The catalogue as cards. The whole card opens the reward. */
export function RewardCards({ rewards, busy }: { rewards: readonly Reward[]; busy: boolean }) {
  const mayRedeem = useCan("rewards.redeem")
  return (
    <ul className={classes.cards} aria-label="Rewards" aria-busy={busy}>
      {rewards.map((reward) => (
        <li key={reward.id} className={classes.card} data-out={isOut(reward) || undefined}>
          <RewardPicture src={reward.image_url} size="card" />
          <div className={classes.words}>
            <Link
              to="/rewards/$rewardId"
              params={{ rewardId: reward.id }}
              className={classes.name}
              title={rewardName(reward)}
            >
              {rewardName(reward)}
            </Link>
            <span className={classes.about}>{rewardAbout(reward)}</span>
            <span className={classes.line}>
              <span>
                <span className={classes.cost}>
                  <Points value={reward.points_cost} />
                </span>{" "}
                {typeof reward.points_cost === "number" && <span className="text-muted l-meta">points</span>}
              </span>
              <span className={classes.end}>
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

/** Cards of the real size where the first ones will be. */
export function CardSkeletons() {
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

function isOut(reward: Reward): boolean {
  return isInactive(reward) || (typeof reward.stock === "number" && reward.stock <= 0)
}
