import { IconX } from "@tabler/icons-react"
import type { Reward } from "../../../../contract/program/reward.ts"
import { formatPoints } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { RewardPicture } from "../show/reward-picture.tsx"
import { rewardAbout, rewardName } from "../show/reward-words.ts"
import classes from "./redeem-fields.module.css"

interface ChosenRewardProps {
  id: string
  /** Undefined while it is read. */
  reward: Reward | undefined
  error: Error | null
  /** Absent where the page behind is the reward's own. */
  onChange?: (() => void) | undefined
}

/** What is redeemed, with what one of it costs. */
export function ChosenReward({ id, reward, error, onChange }: ChosenRewardProps) {
  const cost = reward?.points_cost
  return (
    <div className={classes.part}>
      <span className={classes.label}>Reward</span>
      <div className={classes.box}>
        <RewardPicture src={reward?.image_url} size="small" />
        <span className={classes.lines}>
          <span className="l-medium truncate">{reward === undefined ? id : rewardName(reward)}</span>
          <span className="l-meta text-muted truncate">
            {reward === undefined ? "" : rewardAbout(reward)}
          </span>
        </span>
        {typeof cost === "number" && <span className="l-num text-secondary">{formatPoints(cost)} each</span>}
        {onChange !== undefined && (
          <IconButton
            label="Choose another reward"
            icon={<IconX size={14} stroke={2} />}
            onClick={onChange}
          />
        )}
      </div>
      {error !== null && reward === undefined && (
        <ErrorNotice error={error} what="Couldn’t load the reward." />
      )}
    </div>
  )
}
