import { Box, Checkbox, Group, Stack, TextInput } from "@mantine/core"
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
import type { UseFormReturn } from "react-hook-form"
import { limits } from "../../../contract/limits.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { everyRewardQuery } from "../../api/rewards.ts"
import { useExactText, useField } from "../../forms/fields.tsx"
import { TypeAhead } from "../../forms/type-ahead.tsx"
import { explain } from "../../lib/errors.ts"
import { containsWords } from "../../lib/names.ts"
import { formatPoints } from "../../lib/format.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { IconButton } from "../../ui/button.tsx"
import { NameAndAbout } from "../../ui/values.tsx"
import { readQuantity, type RedeemCheck, type RedeemEntry, type RedeemValues } from "./redeem-model.ts"
import { rewardAbout, rewardName, RewardPicture, Stock } from "./reward-view.tsx"

/** The chosen member or reward, with a button to change it. */
export function Chosen(props: {
  noun: "member" | "reward"
  picture: ReactNode
  name: string
  about: string | null | undefined
  points: string | undefined
  error: Error | null
  onChange: () => void
}) {
  const { noun, name, points, error, onChange } = props
  return (
    <Stack gap={4} miw={0} fz="var(--l-fs-ui)">
      <span className="l-medium">{noun === "member" ? "Member" : "Reward"}</span>
      <Group gap={12} wrap="nowrap" mih={48} p="6px 8px 6px 12px" className="card">
        {props.picture}
        <NameAndAbout name={name} about={props.about} wraps />
        {points !== undefined && <span className="l-num text-secondary">{points}</span>}
        <IconButton
          label={`Choose another ${noun}`}
          icon={<IconX size={14} stroke={2} />}
          onClick={onChange}
        />
      </Group>
      <ErrorNotice error={error} what={`Couldn’t load the ${noun}.`} />
    </Stack>
  )
}

const most = 8

/** Chooses a reward by part of its name or category, with a note on those that the member cannot afford. */
export function RewardPicker(props: { balance: number | undefined; onPick: (reward: Reward) => void }) {
  const { balance, onPick } = props
  const [typed, setTyped] = useState("")
  const { data, error } = useQuery(everyRewardQuery({ status: "active" }))
  const found = (data?.rows ?? []).filter((reward) =>
    containsWords(`${rewardName(reward)} ${reward.category ?? ""}`, typed),
  )
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
  const { points_cost: cost, stock } = reward
  const short = stock !== 0 && typeof cost === "number" && balance !== undefined && cost > balance
  return (
    <>
      <RewardPicture src={reward.image_url} size="small" />
      <NameAndAbout name={rewardName(reward)} about={rewardAbout(reward)} />
      {stock === 0 && <Stock stock={0} />}
      {typeof cost === "number" && (
        <Stack component="span" gap={0} align="end" className="l-num nowrap text-secondary">
          {formatPoints(cost)}
          {short && <span className="caption">not enough points</span>}
        </Stack>
      )}
    </>
  )
}

function messageFor(text: string, loading: boolean, error: Error | null, count: number): string {
  if (loading) {
    return error === null ? "Loading rewards…" : `Couldn’t load the rewards: ${explain(error).title}.`
  }
  if (count === 0) return text === "" ? "No rewards available." : `No available reward matches “${text}”.`
  return count > most ? `${count - most} more. Type to narrow the list.` : ""
}

const { min, askAbove } = limits.quantity

/** The quantity: typed, or changed by one. An invalid one is refused when the field is left. */
export function QuantityField({ form }: { form: UseFormReturn<RedeemValues, unknown, RedeemEntry> }) {
  const field = useField({ control: form.control, name: "quantity", label: "Quantity" })
  const change = (text: string) => {
    form.clearErrors("quantity")
    field.onChange(text)
  }
  const { props: cleaned, note } = useExactText(field.value, change)
  const now = readQuantity(field.value)
  const step = (by: number) => () => change(String(Math.max(min, (Number.isNaN(now) ? min : now) + by)))
  return (
    <TextInput
      {...field}
      {...cleaned}
      onBlur={() => {
        field.onBlur()
        void form.trigger("quantity")
      }}
      description={note}
      w={{ xs: 132 }}
      inputMode="numeric"
      autoComplete="off"
      data-autofocus
      classNames={{ input: "l-num l-strong" }}
      styles={{ input: { textAlign: "center" } }}
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
        <IconButton label="One more" icon={<IconPlus size={14} stroke={2} />} onClick={step(1)} />
      }
    />
  )
}

/** Confirms an unusually large quantity, perhaps a typo, once. */
export function LargeQuantityNote(props: {
  quantity: number
  isConfirmed: boolean
  onConfirm: (confirmed: boolean) => void
}) {
  const { quantity, isConfirmed, onConfirm } = props
  return (
    <Notice tone="warning" title={`More than ${askAbove} pieces: is that right?`}>
      <Checkbox
        mt={8}
        label={`Yes, redeem ${formatPoints(quantity)} pieces`}
        checked={isConfirmed}
        onChange={({ currentTarget }) => onConfirm(currentTarget.checked)}
      />
    </Notice>
  )
}

const checkStyles = {
  ok: { Icon: IconCircleCheck, tone: "success" },
  no: { Icon: IconAlertCircle, tone: "danger" },
  warning: { Icon: IconAlertTriangle, tone: "warning" },
  unknown: { Icon: IconHelpCircle, tone: "warning" },
} as const

/** The conditions of the redemption before it is sent, with the resulting balance and stock. */
export function CheckList({ checks }: { checks: readonly RedeemCheck[] }) {
  return (
    <Stack
      component="ul"
      gap={0}
      fz="var(--l-fs-ui)"
      bg="var(--l-surface-2)"
      className="card divided"
      aria-label="Checks"
      aria-live="polite"
    >
      {checks.map(({ id, state, words, change }) => {
        const { Icon, tone } = checkStyles[state]
        return (
          <Group component="li" key={id} gap="4px 10px" px={14} py={8} data-tone={tone}>
            <Icon size={16} stroke={1.75} aria-hidden className="tone-mark" />
            <Box component="span" flex={1} miw={120} className={state === "no" ? "tone-text l-medium" : ""}>
              {words}
            </Box>
            {change !== undefined && (
              <Group component="span" gap={6} className="l-num text-secondary">
                {change.from}
                <IconArrowRight size={14} stroke={2} aria-label="becomes" className="text-muted" />
                <Box component="b" c="var(--l-text)">
                  {change.to}
                </Box>{" "}
                {id === "points" ? "points after" : "left after"}
              </Group>
            )}
          </Group>
        )
      })}
    </Stack>
  )
}
