import { Box, Group, Stack, TextInput } from "@mantine/core"
import { IconArrowRight, IconHistory, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Control, useController, useFormState, useWatch } from "react-hook-form"
import { recentReasonsQuery } from "../../api/points.ts"
import { FoldedFields, Suggestions, TextField, useExactText, useField } from "../../forms/fields.tsx"
import { MetadataField } from "../../forms/metadata-editor.tsx"
import { formatCount, formatPoints, listed } from "../../lib/format.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { IconButton } from "../../ui/button.tsx"
import { Avatar, NameAndAbout } from "../../ui/values.tsx"
import {
  readPoints,
  type suggestedAmounts,
  type PointsEntry,
  type PointsValues,
  type Recipient,
} from "./points-model.ts"
import type { PointsAct } from "./points-search.ts"

interface PointsField {
  control: Control<PointsValues, unknown, PointsEntry>
}

/** The recipients: one member with the balance, or a list of several. */
export function Recipients(props: {
  recipients: readonly Recipient[]
  /** Points to deduct from each: members with fewer are named. */
  needs: number | undefined
  onRemove: (id: string) => void
}) {
  const { recipients, needs, onRemove } = props
  const [only] = recipients
  if (recipients.length === 1 && only !== undefined) return <OneRecipient {...only} />
  const known = recipients.every(({ balance }) => balance !== undefined)
  const sum = recipients.reduce((points, { balance = 0 }) => points + balance, 0)
  return (
    <section className="card" aria-label="Members">
      <Box component="ul" mah={220} className="scroll ruled">
        {recipients.map(({ id, name, balance }) => {
          const short = needs !== undefined && balance !== undefined && balance < needs
          return (
            <Group component="li" key={id} gap={12} wrap="nowrap" p="6px 8px 6px 14px" fz="var(--l-fs-ui)">
              <Avatar name={name} />
              <span className="grow truncate">{name}</span>
              {balance !== undefined && (
                <span className={short ? "l-num tone-text" : "l-num text-secondary"} data-tone="warning">
                  {short ? `only ${formatPoints(balance)}` : formatPoints(balance)}
                </span>
              )}
              <IconButton
                size="sm"
                label={`Remove ${name}`}
                icon={<IconX size={14} stroke={2} />}
                onClick={() => onRemove(id)}
              />
            </Group>
          )
        })}
      </Box>
      <Group justify="space-between" gap={12} px={14} py={8} fz="var(--l-fs-ui)">
        <span className="l-medium">{formatCount(recipients.length)} members</span>
        {known && <span className="text-muted l-num">{formatPoints(sum)} points in total</span>}
      </Group>
    </section>
  )
}

function OneRecipient({ name, member, balance, error }: Recipient) {
  return (
    <>
      <Group gap={12} wrap="nowrap" px={14} py={10} fz="var(--l-fs-ui)" className="card">
        <Avatar name={name} accent />
        <NameAndAbout name={name} about={member?.company || member?.email} />
        {balance !== undefined && (
          <Stack gap={0} align="end" className="l-num">
            <span className="l-strong">{formatPoints(balance)}</span>
            <span className="caption">available</span>
          </Stack>
        )}
      </Group>
      {member === undefined && <ErrorNotice error={error} what="Couldn’t load the member." />}
    </>
  )
}

/** Warns of inactive members: the service decides whether it accepts points for them. */
export function StatusWarning({ recipients }: { recipients: readonly Recipient[] }) {
  const waiting = recipients.flatMap(({ name, member }) => {
    const status = member?.status?.toLowerCase()
    return status === "inactive" || status === "pending" ? [{ name, status }] : []
  })
  const [first] = waiting
  if (first === undefined) return null
  const others = listed(waiting.map(({ name, status }) => `${name} (${status})`))
  return (
    <Notice
      tone="warning"
      title={
        waiting.length === 1
          ? `${first.name} is ${first.status}`
          : `${formatCount(waiting.length)} members aren’t active`
      }
    >
      {waiting.length > 1 && `${others}. `}The service decides whether it accepts this.
    </Notice>
  )
}

/** The number of points: typed, or one of a few usual amounts. */
export function AmountField(
  props: PointsField & {
    suggested: ReturnType<typeof suggestedAmounts>
    help: string | undefined
    warning: string | undefined
  },
) {
  const { control, suggested, help, warning } = props
  const field = useField({ control, name: "points", label: "Points", help })
  const { props: cleaned, note } = useExactText(field.value, field.onChange)
  return (
    <Suggestions
      label="Usual amounts"
      value={readPoints(field.value)}
      options={suggested}
      onPick={(points) => field.onChange(formatPoints(points))}
    >
      <TextInput
        {...field}
        {...cleaned}
        description={note ?? help}
        size="lg"
        inputMode="numeric"
        autoComplete="off"
        classNames={{ input: "l-num" }}
        styles={{ input: { fontSize: "var(--l-fs-figure)", fontWeight: 600 } }}
        rightSection={<span className="caption">points</span>}
        rightSectionWidth={64}
        data-autofocus
      />
      {warning !== undefined && (
        <output className="caption tone-text" data-tone="warning">
          {warning}
        </output>
      )}
    </Suggestions>
  )
}

const reasonsShown = 3

/** The reason: typed, or a recent one of the same action. */
export function ReasonField({ control, act }: PointsField & { act: PointsAct }) {
  const { field } = useController({ control, name: "reason" })
  // Optional suggestions, so an error is not shown.
  const reasons = useQuery(recentReasonsQuery).data?.[act] ?? []
  return (
    <Suggestions
      label="Recent reasons"
      icon={<IconHistory size={14} stroke={2} aria-hidden />}
      value={field.value}
      options={reasons.slice(0, reasonsShown).map((reason) => ({ value: reason, label: reason }))}
      onPick={field.onChange}
    >
      <TextField control={control} name="reason" label="Reason" help="Members see this in their ledger." />
    </Suggestions>
  )
}

/** Rarely needed fields of an award, collapsed: metadata stored in the ledger. */
export function MoreFields({ control }: PointsField) {
  const metadata = useWatch({ control, name: "metadata" })
  const { errors } = useFormState({ control })
  const [open, setOpen] = useState(metadata.length > 0)
  return (
    <FoldedFields
      label="More"
      given={metadata.map(({ key }) => key).join(", ")}
      // Open when a field inside has an error.
      open={open || errors.metadata !== undefined}
      onToggle={setOpen}
    >
      <MetadataField
        control={control}
        name="metadata"
        label="Custom fields"
        optional
        help="Such as a campaign code. They stay with the award."
      />
    </FoldedFields>
  )
}

/** The effect: one member's balance before and after, or the total for several. `points` are per member. */
export function BalanceAfter(props: { act: PointsAct; recipients: readonly Recipient[]; points: number }) {
  const { act, recipients, points } = props
  const several = recipients.length > 1
  const { balance = 0 } = recipients[0] ?? {}
  if (!several && recipients[0]?.balance === undefined) return null
  const each = Number.isSafeInteger(points) && points > 0 ? points : 0
  return (
    <Group
      gap={12}
      wrap="nowrap"
      px={14}
      py={10}
      fz="var(--l-fs-ui)"
      bg="var(--l-surface-2)"
      className="card l-num"
    >
      <span className="grow text-secondary">{several ? "Total" : "Balance after"}</span>
      {several ? (
        <>
          <b>{formatPoints(each * recipients.length)}</b>
          <span className="text-muted">points</span>
        </>
      ) : (
        <>
          <span className="text-muted">{formatPoints(balance)}</span>
          <IconArrowRight size={14} stroke={2} aria-label="becomes" className="text-muted" />
          <b>{formatPoints(act === "award" ? balance + each : balance - each)}</b>
        </>
      )}
    </Group>
  )
}
