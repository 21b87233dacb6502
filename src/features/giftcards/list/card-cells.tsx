import { IconEye } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { useCan } from "../../../api/session.ts"
import links from "../../../lists/list-table.module.css"
import type { ListLayout } from "../../../lists/list-columns.ts"
import { Avatar, Truncate } from "../../../ui/values.tsx"
import { CardMoney, CardStatus, Expiry, recipientOf, referenceOf } from "../card-parts.tsx"
import classes from "../gift-cards.module.css"

/** Whom it is for, with the row's link; below it, on touch, what tells two cards of one person apart. */
export function RecipientCell({
  card,
  layout,
  withReveal = false,
}: {
  card: RegisteredCard
  layout: ListLayout
  /** Offers the link at the row's other end: only in the register, whose address holds the dialog. */
  withReveal?: boolean
}) {
  const who = recipientOf(card)
  return (
    <span className={classes.who}>
      <Avatar name={who} />
      <span className={classes.lines}>
        <Link
          to="/cards/$cardId"
          params={{ cardId: card.id }}
          data-row-link
          title={who}
          className={`${links.link} truncate`}
        >
          {who}
        </Link>
        {layout !== "wide" && (
          <span className={`${classes.below} truncate`}>{referenceOf(card) ?? card.id}</span>
        )}
      </span>
      {withReveal && layout === "wide" && <RevealInRow card={card} />}
    </span>
  )
}

/** The face value; on a phone with the status and the end below it. */
export function AmountCell({ card, layout }: { card: RegisteredCard; layout: ListLayout }) {
  const amount = (
    <span className="l-strong">
      <CardMoney cents={card.amount_cents} />
    </span>
  )
  if (layout !== "phone") return amount
  return (
    <span className={classes.end}>
      {amount}
      <span className={classes.below}>
        {card.is_test === true ? (
          <CardStatus card={{ status: null, is_test: true }} />
        ) : (
          <Expiry at={card.expires_at} />
        )}
      </span>
    </span>
  )
}

/** An id or a reference, which may be long. */
export function ReferenceCell({ reference }: { reference: string | null }) {
  if (reference === null) return null
  return (
    <span className={`l-mono text-secondary ${classes.cut}`}>
      <Truncate>{reference}</Truncate>
    </span>
  )
}

/** Appears at the right end of the row on hover and focus: asks for the link without leaving the list. */
function RevealInRow({ card }: { card: RegisteredCard }) {
  const may = useCan("secrets.reveal")
  if (!may || !card.can_reveal) return null
  return (
    <Link
      from="/cards"
      to="/cards"
      search={(now) => ({ ...now, open: "reveal", card: card.id })}
      resetScroll={false}
      className={classes.reveal}
      aria-label={`Reveal the link of ${recipientOf(card)}’s card`}
    >
      <IconEye size={16} stroke={1.75} aria-hidden />
      Reveal
    </Link>
  )
}
