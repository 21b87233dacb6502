import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Reward } from "../../../../contract/program/reward.ts"
import { explain } from "../../../api/errors.ts"
import { offeredRewardsQuery } from "../../../api/rewards.ts"
import classes from "../../../forms/picker.module.css"
import { TypeAhead } from "../../../forms/type-ahead.tsx"
import { formatPoints } from "../../../lib/format.ts"
import { RewardPicture } from "../show/reward-picture.tsx"
import { rewardAbout, rewardName } from "../show/reward-words.ts"
import { Stock } from "../show/stock.tsx"

/** Rewards shown at once; typing narrows them. */
const most = 8

interface RewardPickerProps {
  /** Points the member has; undefined while they are not known. */
  balance: number | undefined
  onPick: (reward: Reward) => void
}

/** Chooses a reward by typing part of its name or category. What the member cannot afford says so. */
export function RewardPicker({ balance, onPick }: RewardPickerProps) {
  const [typed, setTyped] = useState("")
  const { data, error } = useQuery(offeredRewardsQuery)
  const found = rewardsFor(data?.rows ?? [], typed)
  return (
    <TypeAhead
      label="Reward"
      listLabel="Rewards found"
      text={typed}
      onText={setTyped}
      open
      options={found.slice(0, most).map((reward) => ({ reward, balance }))}
      idOf={({ reward }) => reward.id}
      draw={drawChoice}
      onPick={({ reward }) => onPick(reward)}
      message={messageFor(typed, data === undefined, error, found.length)}
      field={{ placeholder: "Name or category", "data-autofocus": true }}
    />
  )
}

interface Choice {
  readonly reward: Reward
  readonly balance: number | undefined
}

function drawChoice({ reward, balance }: Choice) {
  const { points_cost: cost } = reward
  const short = typeof cost === "number" && balance !== undefined && cost > balance
  return (
    <>
      <RewardPicture src={reward.image_url} size="small" />
      <span className={classes.lines}>
        <span className="l-medium truncate">{rewardName(reward)}</span>
        <span className="l-meta text-muted truncate">{rewardAbout(reward)}</span>
      </span>
      {reward.stock === 0 && <Stock stock={0} />}
      {typeof cost === "number" && (
        <span className={short ? "l-num text-muted" : "l-num text-secondary"}>
          {short ? `${formatPoints(cost)}, not enough points` : formatPoints(cost)}
        </span>
      )}
    </>
  )
}

function rewardsFor(rewards: readonly Reward[], text: string): Reward[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return rewards.filter((reward) => {
    const told = `${rewardName(reward)} ${reward.category ?? ""}`.toLocaleLowerCase()
    return words.every((word) => told.includes(word))
  })
}

function messageFor(text: string, reading: boolean, error: Error | null, count: number): string {
  if (error !== null && reading) return `Couldn’t load the rewards: ${explain(error).title}.`
  if (reading) return "Loading rewards…"
  if (count === 0) {
    return text.trim() === "" ? "No rewards available." : `No available reward matches “${text.trim()}”.`
  }
  return count > most ? `${count - most} more. Type to narrow the list.` : ""
}
