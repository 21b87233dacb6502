import { IconX } from "@tabler/icons-react"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { Avatar } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import classes from "./points-fields.module.css"
import type { Recipient } from "./use-members.ts"

interface RecipientsProps {
  recipients: readonly Recipient[]
  /** A deduction of so many points each: who has fewer is marked. */
  needs: number | undefined
  onRemove: (id: string) => void
}

/** Whom it is for: one member with the balance, or several in a list. */
export function Recipients({ recipients, needs, onRemove }: RecipientsProps) {
  const [only] = recipients
  if (recipients.length === 1 && only !== undefined) return <One recipient={only} />
  const known = recipients.every(({ balance }) => balance !== undefined)
  const sum = recipients.reduce((points, { balance = 0 }) => points + balance, 0)
  return (
    <section className={classes.who} aria-label="Members">
      <ul className={classes.people}>
        {recipients.map((recipient) => (
          <li key={recipient.id} className={classes.person}>
            <Avatar name={recipient.name} />
            <span className={`${classes.grow} truncate`}>{recipient.name}</span>
            <Balance recipient={recipient} needs={needs} />
            <IconButton
              size="sm"
              label={`Remove ${recipient.name}`}
              icon={<IconX size={14} stroke={2} />}
              onClick={() => onRemove(recipient.id)}
            />
          </li>
        ))}
      </ul>
      <div className={classes.sum}>
        <span className="l-medium">{formatCount(recipients.length)} members</span>
        {known && <span className="text-muted l-num">{formatPoints(sum)} points in total</span>}
      </div>
    </section>
  )
}

function Balance({ recipient, needs }: { recipient: Recipient; needs: number | undefined }) {
  const { balance } = recipient
  if (balance === undefined) return null
  const short = needs !== undefined && balance < needs
  return (
    <span className={`l-num ${short ? classes.short : "text-secondary"}`}>
      {short ? `only ${formatPoints(balance)}` : formatPoints(balance)}
    </span>
  )
}

function One({ recipient: { name, member, balance, error } }: { recipient: Recipient }) {
  return (
    <>
      <div className={classes.box}>
        <Avatar name={name} accent />
        <div className={classes.lines}>
          <span className={classes.name}>{name}</span>
          <span className={classes.below}>{member?.company || member?.email}</span>
        </div>
        {balance !== undefined && (
          <div className={classes.end}>
            <span className="l-strong">{formatPoints(balance)}</span>
            <span className={classes.below}>available</span>
          </div>
        )}
      </div>
      {error !== null && member === undefined && (
        <ErrorNotice error={error} what="Couldn’t load the member." />
      )}
    </>
  )
}
