import { Link } from "@tanstack/react-router"
import type { Card } from "../../../../contract/giftcard/card.ts"
import { asSent } from "../../../../contract/reading.ts"
import { OutcomeFacts } from "../../../forms/outcome/outcome-facts.tsx"
import { exact } from "../../../lib/time.ts"
import { AsSent, CopyText } from "../../../ui/values.tsx"
import { CardMoney } from "../show/card-money.tsx"
import { CardStatus } from "../show/card-status.tsx"
import { TemplateName } from "../show/template-name.tsx"
import classes from "./look-up.module.css"

/** A card as the service has it at this moment; what it does not say is left out. */
export function FoundFacts({ card }: { card: Card }) {
  const { id, status, amount, cardId, memberId, externalRef, isTest, expiresAt, issuedAt } = card
  return (
    <>
      <div className={classes.head}>
        <span className={classes.amount}>
          {typeof amount === "number" ? (
            <CardMoney cents={Math.round(amount * 100)} />
          ) : (
            <AsSent sent={asSent(card, "amount")} />
          )}
        </span>
        <CardStatus card={{ status: status ?? null, is_test: isTest ?? null }} />
      </div>
      <OutcomeFacts
        facts={[
          { label: "Card id", value: <Copied text={id} /> },
          { label: "Template", value: cardId && <TemplateName id={cardId} /> },
          { label: "Reference", value: externalRef && <Copied text={externalRef} /> },
          {
            label: "Member",
            value: memberId && (
              <Link to="/members/$memberId" params={{ memberId }} className="l-link l-mono">
                {memberId}
              </Link>
            ),
          },
          { label: "Issued", value: issuedAt && exact(issuedAt) },
          { label: "Expires", value: expiresAt && exact(expiresAt) },
        ]}
      />
    </>
  )
}

function Copied({ text }: { text: string }) {
  return (
    <span className={classes.end}>
      <CopyText text={text} mono cut />
    </span>
  )
}
