import { Group, Stack } from "@mantine/core"
import { IconCreditCard, IconEye, IconMailPlus, IconSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { auditQuery } from "../../api/audit.ts"
import { cardQuery, useLookUpCard } from "../../api/gift-cards.ts"
import { jobRowsQuery, pageOfRow, rowNumber } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"
import { JobLink, MemberLink } from "../../ui/record-link.tsx"
import { formatCount } from "../../lib/format.ts"
import { browserTime, exact, millis, shortDay } from "../../lib/time.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import { RecordFacts, RecordPage } from "../../ui/record-page.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import {
  CardMoney,
  CardStatus,
  daysLeft,
  daysLeftText,
  originLabels,
  recipientLabel,
  TemplateName,
} from "./card-columns.tsx"
import classes from "./gift-cards.module.css"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"

const RevealDialog = lazy(async () => ({ default: (await import("./reveal-dialog.tsx")).RevealDialog }))

const route = getRouteApi("/_app/cards_/$cardId")
const parent = { label: "Gift cards", to: "/cards" }

export function CardPage() {
  const { cardId } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const lookup = useLookUpCard(cardId)
  const show = (dialog: "reveal" | undefined) =>
    void navigate({ search: (now) => ({ ...now, open: dialog }), resetScroll: false })
  return (
    <RecordPage
      key={cardId}
      query={useQuery(cardQuery(cardId))}
      noun="card"
      parent={parent}
      missing={{
        icon: IconCreditCard,
        id: cardId,
        heading: "Not in the register",
        title: `No card in the register has the id ${cardId}`,
        help: "The service may still have it: look it up to add it.",
        actions: (
          <>
            <LinkButton variant="filled" to="/cards" search={{ open: "look-up", find: cardId }}>
              Look it up
            </LinkButton>
            <LinkButton to="/cards">Back to gift cards</LinkButton>
          </>
        ),
      }}
      renderHeader={(card) => (
        <PageHeader
          title={recipientLabel(card)}
          path={[parent]}
          pill={<CardStatus card={card} pill />}
          actions={
            <>
              <Button
                leftSection={<IconSearch {...buttonIcon} />}
                loading={lookup.isPending}
                onClick={() => lookup.mutate()}
              >
                Look up now
              </Button>
              <RequirePermission permission="cards.issue">
                <LinkButton
                  to="/cards/issue"
                  search={{ again: cardId, ...(card.member.id !== null && { for: card.member.id }) }}
                  leftSection={<IconMailPlus {...buttonIcon} />}
                >
                  Issue again
                </LinkButton>
              </RequirePermission>
              <RequirePermission permission="secrets.reveal">
                <Button leftSection={<IconEye {...buttonIcon} />} onClick={() => show("reveal")}>
                  Reveal the link
                </Button>
              </RequirePermission>
            </>
          }
        />
      )}
      renderNotes={({ origin }) => (
        <>
          <ErrorNotice error={lookup.error} what="Couldn’t look it up. Showing the last known details." />
          {origin === "unexpected" && (
            <Notice tone="warning" title="The service issued this card unexpectedly">
              It issued a new card when the link of another card was revealed. No one was shown its link. Tell
              your program administrator.
            </Notice>
          )}
        </>
      )}
      renderFigures={(card) => <CardFigures card={card} lookup={lookup} />}
      renderFacts={(card) => <CardFacts card={card} />}
    >
      {(card) => (
        <>
          <CardHistory card={card} />
          {open === "reveal" && (
            <Suspense>
              <RevealDialog cardId={card.id} onClose={() => show(undefined)} />
            </Suspense>
          )}
        </>
      )}
    </RecordPage>
  )
}

function CardFacts({ card }: { card: RegisteredCard }) {
  const { id, template, reference, own_reference, member, job, origin, is_test, message } = card
  const row = useIssuingRow(card)
  return (
    <RecordFacts>
      <DescriptionList
        missing="Not known"
        items={[
          ["Member", member.id && <MemberLink id={member.id} text={member.name ?? member.id} />],
          ["E-mail", member.email && <CopyText text={member.email} cut />],
          ["Template", template && <TemplateName id={template} />],
          ["Card id", copied(id)],
          ["Reference", reference && copied(reference)],
          sentMail(card),
          own_reference !== null && ["Own reference", copied(own_reference)],
          message !== null && ["Service’s message", message],
          ["Expires", card.expires_at && exact(card.expires_at)],
          ["Kind", is_test !== null && (is_test ? "Test card: the fund wasn’t charged" : "Live card")],
          ["Source", originLabels[origin]],
          [origin === "adopted" ? "Added by" : "Issued by", card.by.name],
          job !== null && [
            "Job",
            <JobLink id={job.id}>
              {job.id}
              {row && `, row ${formatCount(rowNumber(row))}`}
            </JobLink>,
          ],
          ["Looked up", card.looked_up_at === null ? "Not yet" : exact(card.looked_up_at)],
        ]}
      />
    </RecordFacts>
  )
}

/** What is known about the e-mail to the recipient: the service sends it once, and does not report on it. */
const sentMail = ({ origin, issued_at }: RegisteredCard) =>
  [
    "E-mail to the recipient",
    origin === "issued" &&
      issued_at !== null &&
      "Sent by the service with the card. Delivery isn’t reported.",
  ] as const

const copied = (text: string) => <CopyText text={text} mono cut />

function CardFigures({ card, lookup }: { card: RegisteredCard; lookup: ReturnType<typeof useLookUpCard> }) {
  const { amount_cents, issued_at, expires_at, looked_up_at } = card
  const now = useServerNow("half-minute")
  const days = daysLeft(expires_at, now)
  const items = [
    { label: "Face value", value: amount_cents === null ? "Unknown" : <CardMoney cents={amount_cents} /> },
    { label: "Issued", value: issued_at === null ? "Unknown" : shortDay(issued_at, now) },
    { label: "Expires", value: days === undefined ? "Unknown" : daysLeftText(days) },
  ]
  const asOf =
    looked_up_at === null ? (
      <span className="caption">Not looked up yet</span>
    ) : (
      <AsOf
        at={browserTime(millis(looked_up_at))}
        refreshing={lookup.isPending}
        onRefresh={() => lookup.mutate()}
      />
    )
  return <Figures items={items} end={asOf} />
}

/** The row that issued a card, for roles that see jobs. */
function useIssuingRow({ job }: RegisteredCard) {
  const mayJobs = useCan("jobs.read")
  const { data } = useQuery({
    ...jobRowsQuery(job?.id ?? "", pageOfRow(job?.row ?? 1)),
    enabled: mayJobs && job !== null,
  })
  return data?.rows.find(({ row }) => row === job?.row)
}

/** Newest first: issue, last lookup and, for roles with the audit log, who revealed the link and why. */
function CardHistory({ card }: { card: RegisteredCard }) {
  const mayAudit = useCan("audit.read")
  const audit = useQuery({ ...auditQuery({ kind: "card", id: card.id }, 1), enabled: mayAudit })
  const attempts = useIssuingRow(card)?.attempts ?? 0
  const events = [
    issued(card, attempts),
    card.looked_up_at !== null && {
      key: "looked-up",
      at: card.looked_up_at,
      title: "Looked up at the service",
      help: card.status && `Its status was “${card.status}”.`,
    },
    ...(audit.data?.rows ?? []).map(audited),
  ]
    .filter((event) => event !== undefined && event !== false)
    .toSorted((one, other) => millis(other.at) - millis(one.at))
  return (
    <Stack component="section" gap={12} maw={720} aria-label="History">
      <h2>History</h2>
      <ErrorNotice
        error={audit.error}
        what="Couldn’t load the audit log, so reveals are missing here."
        onRetry={audit.refetch}
      />
      {events.length === 0 ? (
        <p className="text-muted">No history.</p>
      ) : (
        <ol>
          {events.map(({ key, at, title, help, tone }) => (
            <li key={key} className={classes.event} data-tone={tone}>
              <Group justify="space-between" align="baseline" gap="2px 16px">
                <span className="l-medium">{title}</span>
                <RelativeTime at={at} calendar className="text-muted" />
              </Group>
              {help && <span className="text-secondary">{help}</span>}
              <span className="caption">{exact(at)}</span>
            </li>
          ))}
        </ol>
      )}
      {mayAudit ? (
        <p className="l-meta">
          {audit.data?.rows.length === 0 && card.job !== null ? (
            // A job with several cards has one entry for all.
            <Link to="/audit" search={{ id: card.job.id }} className="l-link">
              All audit entries for its job
            </Link>
          ) : (
            <Link to="/audit" search={{ id: card.id }} className="l-link">
              All audit entries for this card
            </Link>
          )}
        </p>
      ) : (
        <p className="caption">Your role can’t view the audit log, so reveals aren’t shown here.</p>
      )}
    </Stack>
  )
}

interface HistoryEvent {
  readonly key: string
  /** ISO 8601. */
  readonly at: string
  readonly title: string
  readonly help?: string | null
  readonly tone?: "success" | "warning"
}

function issued(card: RegisteredCard, attempts: number): HistoryEvent | undefined {
  const { issued_at: at, origin, by, member, replayed } = card
  if (at === null) return undefined
  if (origin === "adopted") return { key: "issued", at, title: "Issued elsewhere" }
  const unexpected = origin === "unexpected"
  const help = [
    unexpected && "The service issued it when the link of another card was revealed.",
    !unexpected &&
      attempts > 1 &&
      `The same request was sent ${attempts} times until the service responded. Its key ensured a single card.`,
    replayed === true && "The confirming response was a replay of an earlier one: no second card was issued.",
    member.created === true && "A pending member was created for it.",
  ]
  return {
    key: "issued",
    at,
    title: unexpected ? "Issued unexpectedly" : `Issued by ${by.name}`,
    help: help.filter(Boolean).join(" "),
    tone: unexpected ? "warning" : "success",
  }
}

function audited({ id: key, at, action, actor, outcome, note }: AuditEntry): HistoryEvent | undefined {
  const done = outcome === "done"
  if (action === "card.adopt") return { key, at, title: `Added to the register by ${actor.name}` }
  if (action === "card.reveal" && done)
    return { key, at, title: `${actor.name} revealed the link`, help: note && `Reason: ${note}` }
  if (action === "card.reveal") return { key, at, title: "No link was shown", help: note, tone: "warning" }
  if (action !== "card.issue" || done) return undefined
  return { key, at, title: "The service issued a card unexpectedly", help: note, tone: "warning" }
}
