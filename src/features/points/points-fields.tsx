import { TextInput } from "@mantine/core"
import { IconArrowRight, IconChevronRight, IconHistory, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Control, useController, useFormState, useWatch } from "react-hook-form"
import { recentReasonsQuery } from "../../api/points.ts"
import { TextField } from "../../forms/fields.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { MetadataField } from "../../forms/metadata-editor.tsx"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { Avatar } from "../../ui/values.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { readPoints, type PointsEntry, type PointsValues, type Recipient } from "./points-model.ts"
import type { PointsAct } from "./points-search.ts"
import classes from "./points.module.css"

type PointsControl = Control<PointsValues, unknown, PointsEntry>

interface RecipientsProps {
  recipients: readonly Recipient[]
  /** A deduction of so many points each: who has fewer is marked. */
  needs: number | undefined
  onRemove: (id: string) => void
}

/** Whom it is for: one member with the balance, or several in a list. */
export function Recipients({ recipients, needs, onRemove }: RecipientsProps) {
  const [only] = recipients
  if (recipients.length === 1 && only !== undefined) return <OneRecipient recipient={only} />
  const known = recipients.every(({ balance }) => balance !== undefined)
  const sum = recipients.reduce((points, { balance = 0 }) => points + balance, 0)
  return (
    <section className={classes.members} aria-label="Members">
      <ul className={classes.people}>
        {recipients.map(({ id, name, balance }) => {
          const short = needs !== undefined && balance !== undefined && balance < needs
          return (
            <li key={id} className={classes.person}>
              <Avatar name={name} />
              <span className={`${classes.grow} truncate`}>{name}</span>
              {balance !== undefined && (
                <span className={`l-num ${short ? classes.short : "text-secondary"}`}>
                  {short ? `only ${formatPoints(balance)}` : formatPoints(balance)}
                </span>
              )}
              <IconButton
                size="sm"
                label={`Remove ${name}`}
                icon={<IconX size={14} stroke={2} />}
                onClick={() => onRemove(id)}
              />
            </li>
          )
        })}
      </ul>
      <div className={classes.sum}>
        <span className="l-medium">{formatCount(recipients.length)} members</span>
        {known && <span className="text-muted l-num">{formatPoints(sum)} points in total</span>}
      </div>
    </section>
  )
}

function OneRecipient({ recipient: { name, member, balance, error } }: { recipient: Recipient }) {
  return (
    <>
      <div className={classes.box}>
        <Avatar name={name} accent />
        <div className={classes.lines}>
          <span className="l-medium truncate">{name}</span>
          <span className="text-muted l-meta truncate">{member?.company || member?.email}</span>
        </div>
        {balance !== undefined && (
          <div className={classes.end}>
            <span className="l-strong">{formatPoints(balance)}</span>
            <span className="text-muted l-meta">available</span>
          </div>
        )}
      </div>
      {error !== null && member === undefined && (
        <ErrorNotice error={error} what="Couldn’t load the member." />
      )}
    </>
  )
}

interface AmountFieldProps {
  control: PointsControl
  /** Amounts that a click fills in. */
  suggested: readonly { readonly points: number; readonly label: string }[]
  help: string | undefined
}

/** How many points: typed, or one of a few usual amounts. */
export function AmountField({ control, suggested, help }: AmountFieldProps) {
  const { field, fieldState } = useController({ control, name: "points" })
  const message = fieldState.error?.message
  const now = readPoints(field.value)
  return (
    <div className={classes.field}>
      <TextInput
        {...field}
        size="lg"
        label="Points"
        inputMode="numeric"
        autoComplete="off"
        classNames={{ input: classes.amount }}
        rightSection={<span className="text-muted l-meta">points</span>}
        rightSectionWidth={64}
        description={help}
        error={message === undefined ? undefined : <FieldError message={message} />}
        required
        data-autofocus
      />
      {suggested.length > 0 && (
        <div className={classes.suggestions}>
          {suggested.map(({ points, label }) => (
            <button
              key={points}
              type="button"
              className={classes.suggestion}
              aria-pressed={points === now}
              onClick={() => field.onChange(formatPoints(points))}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** How many recent reasons are offered. */
const reasonsShown = 3

/** Why: typed, or one of the reasons used recently. */
export function ReasonField({ control }: { control: PointsControl }) {
  const { field } = useController({ control, name: "reason" })
  // Without them the field works all the same, so their error is not shown.
  const { data: reasons = [] } = useQuery(recentReasonsQuery)
  return (
    <div className={classes.field}>
      <TextField control={control} name="reason" label="Reason" help="Members see this in their ledger." />
      {reasons.length > 0 && (
        <ul className={classes.suggestions} aria-label="Recent reasons">
          {reasons.slice(0, reasonsShown).map((reason) => (
            <li key={reason}>
              <button
                type="button"
                className={classes.suggestion}
                aria-pressed={field.value === reason}
                onClick={() => field.onChange(reason)}
              >
                <IconHistory size={14} stroke={2} aria-hidden />
                <span className="truncate">{reason}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What an award rarely needs, folded: keys and values that stay with it in the ledger. */
export function MoreFields({ control }: { control: PointsControl }) {
  const metadata = useWatch({ control, name: "metadata" })
  const { errors } = useFormState({ control })
  const [open, setOpen] = useState(metadata.length > 0)
  return (
    <details
      className={classes.more}
      // What is wrong in here must be seen.
      open={open || errors.metadata !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        More
        {metadata.length > 0 && (
          <span className="text-muted truncate">{metadata.map(({ key }) => key).join(", ")}</span>
        )}
      </summary>
      <MetadataField
        control={control}
        name="metadata"
        label="Metadata"
        optional
        help="Free-form data such as a campaign code. Stays with the award."
      />
    </details>
  )
}

interface BalanceAfterProps {
  act: PointsAct
  recipients: readonly Recipient[]
  /** Points for each; NaN while nothing that counts is typed. */
  points: number
}

/** What it comes to: the balance of one member before and after, or the sum for several. */
export function BalanceAfter({ act, recipients, points }: BalanceAfterProps) {
  const typed = Number.isSafeInteger(points) && points > 0
  if (recipients.length > 1) {
    return (
      <div className={`${classes.box} ${classes.after}`}>
        <span className={`${classes.grow} text-secondary`}>Total</span>
        <b>{typed ? formatPoints(points * recipients.length) : "0"}</b>
        <span className="text-muted">points</span>
      </div>
    )
  }
  const balance = recipients[0]?.balance
  if (balance === undefined) return null
  const after = typed ? balance + (act === "award" ? points : -points) : balance
  return (
    <div className={`${classes.box} ${classes.after}`}>
      <span className={`${classes.grow} text-secondary`}>Balance after</span>
      <span className="text-muted">{formatPoints(balance)}</span>
      <IconArrowRight size={14} stroke={2} aria-label="becomes" />
      <b>{formatPoints(after)}</b>
    </div>
  )
}
