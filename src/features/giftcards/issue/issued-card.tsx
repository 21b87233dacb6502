import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { useSession } from "../../../api/session.ts"
import type { OneRow } from "../../../forms/job-outcome.tsx"
import { centsOf, formatMoney } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Outcome } from "../../../ui/side-drawer.tsx"

interface IssuedCardProps {
  one: OneRow
  sent: GiftcardRow
  name: string
  /** As the register has it; undefined for the moment until it does. */
  card: RegisteredCard | undefined
}

/** It happened: how much, for whom, and what of it somebody would not expect. */
export function IssuedCard({ one: { row }, sent, name, card }: IssuedCardProps) {
  const { currency } = useSession().program
  return (
    <>
      <div>
        <Outcome word="Issued">
          A {formatMoney(centsOf(sent.denomination), currency)} card for {name}
        </Outcome>
        <p className="text-secondary">The service e-mails a one-time link to {sent.member.email}.</p>
        {row.decision !== undefined && (
          <p className="text-secondary">{row.decision.by.name} said that it happened.</p>
        )}
      </div>
      {card?.member.created === true && (
        <Notice tone="info" title={`${name} was not a member yet: a pending member was created`}>
          {card.member.id !== null && (
            <Link to="/members/$memberId" params={{ memberId: card.member.id }} className="l-link">
              Open {name}
            </Link>
          )}
        </Notice>
      )}
      {card?.is_test === true && (
        <Notice tone="warning" title="Test card: the fund wasn’t charged">
          The card’s template is in test mode. The link works for tests only.
        </Notice>
      )}
      {card?.replayed === true && (
        <Notice tone="info" title="The card was already issued">
          An earlier answer to the same request was lost, and the repeat brought it back. There is one card,
          not two.
        </Notice>
      )}
      {row.known_by === "look" && (
        <Notice tone="info" title="Found by its reference">
          There was no usable response. A lookup shows the card was issued by this request.
        </Notice>
      )}
    </>
  )
}
