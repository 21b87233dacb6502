import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { giftcardRow, type GiftcardRow } from "../../../contract/kinds/giftcard.ts"
import type { Job } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { earlierUnknown } from "../../../contract/row-outcomes.ts"
import { cardQuery } from "../../api/gift-cards.ts"
import { onMemberCreated } from "../../api/members.ts"
import { useSession } from "../../api/session.ts"
import { CardLink, JobLink, MemberLink, ReferenceHolderLink } from "../../ui/record-link.tsx"
import { catalogueQuery, JobControls, JobOutcome, useJobOutcome } from "../../forms/job-outcome.tsx"
import type { OneRow } from "../../forms/one-row.ts"
import { centsOf, formatMoney } from "../../lib/format.ts"
import { exact, longDay } from "../../lib/time.ts"
import { catalogueStep, Notice } from "../../ui/notice.tsx"
import { CardStatus, TemplateName } from "./card-columns.tsx"
import { effectLabels, type IssueValues, toFormValues } from "./issue-model.ts"

/** Poll interval of the register for a card that was just issued and is not in it yet, in ms. */
const registerPollInterval = 2000

/** The outcome of a card, in place of its form, without its redeem link: Laurel does not store it. */
export function IssueOutcome(props: {
  jobId: string
  onForm: (values: IssueValues | undefined) => void
  onClose: () => void
}) {
  const { jobId, onForm, onClose } = props
  const queryClient = useQueryClient()
  const { currency } = useSession().program
  const outcome = useJobOutcome<GiftcardRow>(
    jobId,
    ({ row }) => giftcardRow.safeParse(row.input).data,
    () => {},
  )
  const { one } = outcome
  const cardId = one?.status === "confirmed" ? one.row.upstream_id : null
  const card = useQuery({
    ...cardQuery(cardId ?? "none"),
    enabled: cardId !== null,
    refetchInterval: ({ state }) => (state.data === undefined ? registerPollInterval : false),
  }).data?.data
  const memberId = card?.member.id
  const created = card?.member.created === true
  useEffect(() => {
    // The card created a member: open lists are refetched.
    if (created) onMemberCreated(queryClient)
  }, [queryClient, created])
  return (
    <JobOutcome kind="giftcard" outcome={outcome} wide onClose={onClose}>
      {(sent, followed) => {
        const name = `${sent.member.firstname} ${sent.member.lastname}`
        const { email } = sent.member
        const amount = formatMoney(centsOf(sent.denomination), currency)
        return {
          doing: effectLabels(sent.denomination, name, currency).running,
          done: `A ${amount} card for ${name}`,
          remarks: (
            <>
              <p className="text-secondary">The service e-mails a one-time link to {email}.</p>
              {created && (
                <Notice tone="info" title={`${name} was not a member yet: a pending member was created`}>
                  {memberId && <MemberLink id={memberId} text={`Open ${name}`} />}
                </Notice>
              )}
              {card?.is_test === true && (
                <Notice tone="warning" title="Test card: the fund wasn’t charged">
                  The card’s template is in test mode. The link works for tests only.
                </Notice>
              )}
              {card?.replayed === true && (
                <Notice tone="info" title="The card was already issued">
                  An earlier response to the same request was lost, and the repeat brought it back. There is
                  one card, not two.
                </Notice>
              )}
            </>
          ),
          notice: cardNotice(followed),
          facts: [
            ["For", card === undefined && `${name}, ${email}`],
            ["Amount", card === undefined && amount],
            ["Card", sent.cardId && <TemplateName id={sent.cardId} />],
            ["Card id", cardId && <CardLink id={cardId} />],
            ["Status", card && <CardStatus card={card} />],
            [
              "Expires",
              card?.expires_at && (
                <time dateTime={card.expires_at} title={exact(card.expires_at)}>
                  {longDay(card.expires_at)}
                </time>
              ),
            ],
            ["Member", memberId && <MemberLink id={memberId} text={name} />],
            ["Reference sent", mono(card?.reference)],
            ["Service’s message", card?.message],
            ["Your reference", mono(card?.own_reference)],
          ],
          onCorrect: () => onForm(toFormValues(sent)),
          another: { label: "Issue another", onClick: () => onForm(undefined) },
        }
      }}
    </JobOutcome>
  )
}

function mono(text: string | null | undefined) {
  return text && <span className="l-mono">{text}</span>
}

/** Notices specific to gift cards for rows that are not confirmed; undefined for the shared notice. */
function cardNotice({ job, row, status }: OneRow) {
  const { outcome } = row
  if (status === "stopped") return <StoppedNotice job={job} isUncertain={row.can_edit === false} />
  if (outcome?.code === "reference_taken") {
    const holder = row.taken_by && <ReferenceHolderLink by={row.taken_by} />
    return (
      <Notice tone="danger" title="This reference is already used" action={holder}>
        {outcome.message}
      </Notice>
    )
  }
  // The message begins with the id of the card that has the reference.
  const earlier = outcome?.code === "earlier_card" ? /^(\S+): /.exec(outcome.message)?.[1] : undefined
  if (earlier === undefined) return undefined
  return (
    <Notice
      tone="warning"
      title="This reference already has a card"
      action={
        <>
          <CardLink id={earlier} text={`Open card ${earlier}`} />
          <JobLink id={job.id}>Decide</JobLink>
        </>
      }
    >
      The card’s template has a card with the same reference, which this request did not issue.{" "}
      {jobKindDescriptors.giftcard.labels.notDone} Open that card, or use another reference.
    </Notice>
  )
}

function StoppedNotice({ job: { id, kind, pause }, isUncertain }: { job: Job; isUncertain: boolean }) {
  const { data: catalogue } = useQuery(catalogueQuery)
  const entry = pause === null ? undefined : catalogue?.explainCode(kind, pause.code)
  return (
    <Notice
      tone="warning"
      title={entry?.title ?? pause?.message ?? "The job is paused"}
      detail={entry ? pause?.code : undefined}
      action={
        <>
          <JobControls jobId={id} send="Resume" />
          {catalogueStep(entry?.action === "resume-job" ? undefined : entry?.action)}
        </>
      }
    >
      {entry && catalogue
        ? `${entry.happened} ${catalogue.ownerSentences[entry.whose]} ${entry.next}`
        : jobKindDescriptors.giftcard.labels.notDone}{" "}
      {isUncertain && `${earlierUnknown} `}
      <JobLink id={id} /> keeps it until it goes on or is cancelled.
    </Notice>
  )
}
