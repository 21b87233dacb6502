import { Group, Stack, TextInput } from "@mantine/core"
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
import type { Reward } from "../../../contract/program/reward.ts"
import { offeredRewardsQuery } from "../../api/rewards.ts"
import { TypeAhead } from "../../forms/type-ahead.tsx"
import { explain } from "../../lib/errors.ts"
import { formatPoints } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { readQuantity, type RedeemCheck, type RedeemEntry, type RedeemValues } from "./redeem-model.ts"
import { rewardAbout, rewardName, RewardPicture, Stock } from "./reward-view.tsx"
import classes from "./redeem.module.css"

interface ChosenProps {
  noun: "member" | "reward"
  picture: ReactNode
  name: string
  about: string | null | undefined
  points: string | undefined
  error: Error | null | false
  onChange: (() => void) | undefined
}

/** The member or the reward of a redemption, with the way to another one. */
export function Chosen({ noun, picture, name, about, points, error, onChange }: ChosenProps) {
  return (
    <Stack gap={4} miw={0}>
      <span className="l-medium">{noun === "member" ? "Member" : "Reward"}</span>
      <div className={`${classes.chosen} card`}>
        {picture}
        <NameAndAbout name={name} about={about} />
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
    </Stack>
  )
}

function NameAndAbout({ name, about }: Pick<ChosenProps, "name" | "about">) {
  return (
    <Stack component="span" gap={0} className="grow">
      <span className="l-medium truncate">{name}</span>
      <span className="caption truncate">{about}</span>
    </Stack>
  )
}

const most = 8

/** Chooses a reward by typing part of its name or category. What the member cannot afford says so. */
export function RewardPicker(props: { balance: number | undefined; onPick: (reward: Reward) => void }) {
  const { balance, onPick } = props
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
      message={messageFor(typed.trim(), data === undefined, error, found.length)}
      field={{ placeholder: "Name or category", "data-autofocus": true }}
    />
  )
}

function drawChoice({ reward, balance }: { reward: Reward; balance: number | undefined }) {
  const { points_cost: cost } = reward
  const short = typeof cost === "number" && balance !== undefined && cost > balance
  return (
    <>
      <RewardPicture src={reward.image_url} size="small" />
      <NameAndAbout name={rewardName(reward)} about={rewardAbout(reward)} />
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
    const searched = `${rewardName(reward)} ${reward.category ?? ""}`.toLocaleLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

function messageFor(text: string, loading: boolean, error: Error | null, count: number): string {
  if (loading) {
    return error === null ? "Loading rewards…" : `Couldn’t load the rewards: ${explain(error).title}.`
  }
  if (count === 0) return text === "" ? "No rewards available." : `No available reward matches “${text}”.`
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

const looks = {
  ok: { Icon: IconCircleCheck, tone: "success" },
  no: { Icon: IconAlertCircle, tone: "danger" },
  warning: { Icon: IconAlertTriangle, tone: "warning" },
  unknown: { Icon: IconHelpCircle, tone: "warning" },
} as const

/** What the redemption depends on, before it is sent: with the balance and the stock after it. */
export function CheckList({ checks }: { checks: readonly RedeemCheck[] }) {
  return (
    <ul className={`${classes.checks} card divided`} aria-label="Checks" aria-live="polite">
      {checks.map(({ id, state, words, change }) => {
        const { Icon, tone } = looks[state]
        return (
          <li key={id} className={classes.check} data-tone={tone}>
            <Icon size={16} stroke={1.75} aria-hidden className="tone-mark" />
            <span className={state === "no" ? "tone-text l-medium" : undefined}>{words}</span>
            {change !== undefined && (
              <Group component="span" gap={6} className="l-num text-secondary">
                {change.from}
                <IconArrowRight size={14} stroke={2} aria-label="becomes" className="text-muted" />
                <b>{change.to}</b> {id === "points" ? "points after" : "left after"}
              </Group>
            )}
          </li>
        )
      })}
    </ul>
  )
}
