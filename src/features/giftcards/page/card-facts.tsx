import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { exact } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import { originWords } from "../show/card-words.ts"
import { TemplateName } from "../show/template-name.tsx"
import classes from "./card-page.module.css"

/** What the register knows of a card. */
export function CardFacts({ card }: { card: RegisteredCard }) {
  const { id, template, reference, own_reference, member, job, by, origin, is_test } = card
  return (
    <aside className={classes.facts} aria-label="Facts">
      <dl className={classes.list}>
        <Fact label="Member">
          {member.id !== null && (
            <Link to="/members/$memberId" params={{ memberId: member.id }} className="l-link">
              {member.name ?? member.id}
            </Link>
          )}
        </Fact>
        <Fact label="E-mail">{member.email !== null && <CopyText text={member.email} cut />}</Fact>
        <Fact label="Template">{template !== null && <TemplateName id={template} />}</Fact>
        <Fact label="Card id">
          <CopyText text={id} mono cut />
        </Fact>
        <Fact label="Reference">{reference !== null && <CopyText text={reference} mono cut />}</Fact>
        {own_reference !== null && (
          <Fact label="Own reference">
            <CopyText text={own_reference} mono cut />
          </Fact>
        )}
        {card.message !== null && <Fact label="Service’s message">{card.message}</Fact>}
        <Fact label="Expires">{card.expires_at !== null && exact(card.expires_at)}</Fact>
        <Fact label="Kind">
          {is_test === null ? null : is_test ? "Test card: the fund wasn’t charged" : "Live card"}
        </Fact>
        <Fact label="Source">{originWords[origin]}</Fact>
        <Fact label={origin === "adopted" ? "Added by" : "Issued by"}>{by.name}</Fact>
        {job !== null && (
          <Fact label="Job">
            <JobLink id={job.id}>
              {job.id}, row {job.row}
            </JobLink>
          </Fact>
        )}
        <Fact label="Looked up">{card.looked_up_at === null ? "Not yet" : exact(card.looked_up_at)}</Fact>
      </dl>
    </aside>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={classes.label}>{label}</dt>
      <dd>{children || <span className="text-muted">Not known</span>}</dd>
    </div>
  )
}
