import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { useSession } from "../../../api/session.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { OutcomeFacts, type OneRow } from "../../../forms/job-outcome.tsx"
import { centsOf, formatMoney } from "../../../lib/format.ts"
import { exact, longDay } from "../../../lib/time.ts"
import { Tooltip } from "../../../ui/tooltip.tsx"
import { CardStatus, TemplateName } from "../card-parts.tsx"

interface IssueFactsProps {
  one: OneRow
  sent: GiftcardRow
  card: RegisteredCard | undefined
}

/** What was sent and what came of it. */
export function IssueFacts({ one: { job, row, status }, sent, card }: IssueFactsProps) {
  const { currency } = useSession().program
  const cardId = status === "confirmed" ? row.upstream_id : null
  const memberId = card?.member.id ?? null
  return (
    <OutcomeFacts
      facts={[
        ...(card === undefined
          ? [
              {
                label: "For",
                value: `${sent.member.firstname} ${sent.member.lastname}, ${sent.member.email}`,
              },
              { label: "Amount", value: formatMoney(centsOf(sent.denomination), currency) },
            ]
          : []),
        { label: "Card", value: sent.cardId === undefined ? null : <TemplateName id={sent.cardId} /> },
        {
          label: "Card id",
          value:
            cardId === null ? null : (
              <Link to="/cards/$cardId" params={{ cardId }} className="l-link l-mono">
                {cardId}
              </Link>
            ),
        },
        { label: "Status", value: card === undefined ? null : <CardStatus card={card} /> },
        {
          label: "Expires",
          value:
            card === undefined || card.expires_at === null ? null : (
              <Tooltip label={exact(card.expires_at)}>
                <time dateTime={card.expires_at}>{longDay(card.expires_at)}</time>
              </Tooltip>
            ),
        },
        {
          label: "Member",
          value:
            memberId === null ? null : (
              <Link to="/members/$memberId" params={{ memberId }} className="l-link">
                {sent.member.firstname} {sent.member.lastname}
              </Link>
            ),
        },
        { label: "Reference sent", value: reference(card?.reference ?? null) },
        { label: "Service’s message", value: card?.message ?? null },
        { label: "Your reference", value: reference(card?.own_reference ?? null) },
        { label: "Job", value: <JobLink id={job.id}>{job.id}, 1 row</JobLink> },
      ]}
    />
  )
}

function reference(text: string | null) {
  return text === null ? null : <span className="l-mono">{text}</span>
}
