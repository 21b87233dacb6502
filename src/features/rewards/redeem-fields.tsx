import { TextInput } from "@mantine/core"
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowRight,
  IconCircleCheck,
  IconHelpCircle,
  IconMinus,
  IconPlus,
  IconX,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { useController, type Control } from "react-hook-form"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { explain } from "../../lib/errors.ts"
import { offeredRewardsQuery } from "../../api/rewards.ts"
import { FieldError } from "../../ui/field-parts.tsx"
import { TypeAhead } from "../../forms/type-ahead.tsx"
import { formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { Avatar } from "../../ui/values.tsx"
import classes from "./redeem.module.css"
import { readQuantity, type RedeemCheck, type RedeemEntry, type RedeemValues } from "./redeem-model.ts"
import { rewardAbout, rewardName, RewardPicture, Stock } from "./reward-view.tsx"

interface ChosenProps {
  /** What was chosen: "member". */
  noun: string
  picture: ReactNode
  name: string
  about: string | null | undefined
  /** Points: what a member has, what a reward costs. */
  points: ReactNode
  /** Why it could not be read. */
  error: Error | null | false
  /** Absent where the page behind is the record's own. */
  onChange: (() => void) | undefined
}

/** The member or the reward of a redemption, with the way to another one. */
function Chosen({ noun, picture, name, about, points, error, onChange }: ChosenProps) {
  return (
    <div className={classes.part}>
      <span className={classes.label}>{`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`}</span>
      <div className={classes.box}>
        {picture}
        <span className={classes.lines}>
          <span className="l-medium truncate">{name}</span>
          <span className="l-meta text-muted truncate">{about}</span>
        </span>
        {points !== undefined && <span className="l-num text-secondary">{points}</span>}
        {onChange !== undefined && (
          <IconButton
            label={`Choose another ${noun}`}
            icon={<IconX size={14} stroke={2} />}
            onClick={onChange}
          />
        )}
      </div>
      {error && <ErrorNotice error={error} what={`Couldn’t load the ${noun}.`} />}
    </div>
  )
}

interface ChosenMemberProps {
  id: string
  /** Undefined while it is read. */
  member: Member | undefined
  balance: number | undefined
  error: Error | null
  onChange: () => void
}

/** Whom it is for, with the points they have. */
export function ChosenMember({ id, member, balance, error, onChange }: ChosenMemberProps) {
  const name = member === undefined ? id : fullName(member)
  return (
    <Chosen
      noun="member"
      picture={<Avatar name={name} accent />}
      name={name}
      about={member?.email ?? member?.company}
      points={balance === undefined ? undefined : `${formatPoints(balance)} points`}
      error={member === undefined && error}
      onChange={onChange}
    />
  )
}

interface ChosenRewardProps {
  id: string
  /** Undefined while it is read. */
  reward: Reward | undefined
  error: Error | null
  /** Absent where the page behind is the reward's own. */
  onChange: (() => void) | undefined
}

/** What is redeemed, with what one of it costs. */
export function ChosenReward({ id, reward, error, onChange }: ChosenRewardProps) {
  const cost = reward?.points_cost
  return (
    <Chosen
      noun="reward"
      picture={<RewardPicture src={reward?.image_url} size="small" />}
      name={reward === undefined ? id : rewardName(reward)}
      about={reward === undefined ? "" : rewardAbout(reward)}
      points={typeof cost === "number" ? `${formatPoints(cost)} each` : undefined}
      error={reward === undefined && error}
      onChange={onChange}
    />
  )
}

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

const { min, max } = limits.quantity

/** How many pieces: typed, or one more and one fewer. */
export function QuantityField({ control }: { control: Control<RedeemValues, unknown, RedeemEntry> }) {
  const { field, fieldState } = useController({ control, name: "quantity" })
  const message = fieldState.error?.message
  const now = readQuantity(field.value)
  const step = (by: number) => () =>
    field.onChange(String(Math.min(max, Math.max(min, (Number.isNaN(now) ? min : now) + by))))
  return (
    <TextInput
      {...field}
      size="md"
      label="Quantity"
      inputMode="numeric"
      autoComplete="off"
      maxLength={7}
      required
      data-autofocus
      classNames={{ input: classes.quantity ?? "" }}
      leftSection={
        <IconButton
          label="One fewer"
          icon={<IconMinus size={14} stroke={2} />}
          disabled={now <= min}
          onClick={step(-1)}
        />
      }
      leftSectionPointerEvents="all"
      rightSection={
        <IconButton
          label="One more"
          icon={<IconPlus size={14} stroke={2} />}
          disabled={now >= max}
          onClick={step(1)}
        />
      }
      error={message === undefined ? undefined : <FieldError message={message} />}
    />
  )
}

const icons = {
  ok: IconCircleCheck,
  no: IconAlertCircle,
  warning: IconAlertTriangle,
  unknown: IconHelpCircle,
} as const

/** What the redemption depends on, before it is sent: with the balance and the stock after it. */
export function CheckList({ checks }: { checks: readonly RedeemCheck[] }) {
  return (
    <ul className={classes.checks} aria-label="Checks" aria-live="polite">
      {checks.map(({ id, state, words, change }) => {
        const Icon = icons[state]
        return (
          <li key={id} className={classes.check} data-state={state}>
            <Icon size={16} stroke={1.75} aria-hidden />
            <span className={classes.grow}>{words}</span>
            {change !== undefined && (
              <span className={classes.change}>
                {change.from}
                <IconArrowRight size={14} stroke={2} aria-label="becomes" />
                <b>{change.to}</b> {id === "points" ? "points after" : "left after"}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
