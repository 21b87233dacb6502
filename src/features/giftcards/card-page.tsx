import { Button } from "@mantine/core"
import { IconCreditCard, IconEye, IconSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import type { RegisteredCard } from "../../../contract/cards.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import { auditQuery } from "../../api/audit.ts"
import { ApiError } from "../../lib/errors.ts"
import { cardQuery, useLookUpCard } from "../../api/gift-cards.ts"
import { jobRowsQuery } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"
import {
  CardMoney,
  CardStatus,
  daysLeft,
  daysLeftWords,
  originLabels,
  recipientOf,
  TemplateName,
} from "./card-parts.tsx"
import { JobLink } from "../../forms/job-link.tsx"
import { exact, millis, shortDay } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf, EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import classes from "./gift-cards.module.css"

const RevealDialog = lazy(async () => ({
  default: (await import("./reveal-dialog.tsx")).RevealDialog,
}))

const route = getRouteApi("/_app/cards_/$cardId")
const path = [{ label: "Gift cards", to: "/cards" }]

/** One card of the register: what is known of it, and what happened to it. */
export function CardPage() {
  const { cardId } = route.useParams()
  const { data: answer, error, refetch } = useQuery(cardQuery(cardId))
  if (error instanceof ApiError && error.status === 404) return <CardMissing cardId={cardId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Gift card" path={path} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.note}>
            <ErrorNotice error={error} what="Couldn’t load the card." onRetry={() => void refetch()} />
          </div>
        )}
      </>
    )
  }
  return <Known key={cardId} card={answer.data} error={error} onRetry={() => void refetch()} />
}

function Known({ card, error, onRetry }: { card: RegisteredCard; error: unknown; onRetry: () => void }) {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const look = useLookUpCard(card.id)
  const show = (dialog: "reveal" | undefined) =>
    void navigate({ search: (now) => ({ ...now, open: dialog }), resetScroll: false })
  return (
    <div className={classes.page}>
      <PageHeader
        title={recipientOf(card)}
        path={path}
        pill={<CardStatus card={card} pill />}
        actions={
          <>
            <Button
              leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
              loading={look.isPending}
              onClick={() => look.mutate()}
            >
              Look up now
            </Button>
            <RequirePermission permission="secrets.reveal">
              <Button
                leftSection={<IconEye size={16} stroke={1.75} aria-hidden />}
                onClick={() => show("reveal")}
              >
                Reveal the link
              </Button>
            </RequirePermission>
          </>
        }
      />
      {(error !== null || look.error !== null || card.origin === "unexpected") && (
        <div className={classes.note}>
          {error !== null && (
            <ErrorNotice
              error={error}
              what="Couldn’t refresh the card. Showing the last loaded version."
              onRetry={onRetry}
            />
          )}
          {look.error !== null && (
            <ErrorNotice error={look.error} what="Couldn’t look it up. Showing the last known details." />
          )}
          {card.origin === "unexpected" && (
            <Notice tone="warning" title="The service issued this card unexpectedly">
              It issued a new card when the link of another card was revealed. No one was shown its link. Tell
              your program administrator.
            </Notice>
          )}
        </div>
      )}
      <CardFigures card={card} refreshing={look.isPending} onRefresh={() => look.mutate()} />
      <div className={classes.split}>
        <CardFacts card={card} />
        <CardHistory card={card} />
      </div>
      {open === "reveal" && (
        <Suspense>
          <RevealDialog cardId={card.id} onClose={() => show(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** What the register knows of a card. */
function CardFacts({ card }: { card: RegisteredCard }) {
  const { id, template, reference, own_reference, member, job, by, origin, is_test } = card
  return (
    <aside className={classes.facts} aria-label="Facts">
      <dl className={classes.cardPageList}>
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
        <Fact label="Source">{originLabels[origin]}</Fact>
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

interface CardFiguresProps {
  card: RegisteredCard
  refreshing: boolean
  onRefresh: () => void
}

/** What a card is worth, since when and until when; and when the service was asked last. */
function CardFigures({ card, refreshing, onRefresh }: CardFiguresProps) {
  const now = useNow("half-minute")
  const { amount_cents, issued_at, expires_at, looked_up_at } = card
  const days = daysLeft(expires_at, now)
  return (
    <Figures
      items={[
        {
          label: "Face value",
          value: amount_cents === null ? "Unknown" : <CardMoney cents={amount_cents} />,
        },
        { label: "Issued", value: issued_at === null ? "Unknown" : shortDay(issued_at, now) },
        { label: "Expires", value: days === undefined ? "Unknown" : daysLeftWords(days) },
      ]}
      end={
        looked_up_at === null ? (
          <span className="l-meta text-muted">Not looked up yet</span>
        ) : (
          <AsOf at={millis(looked_up_at)} refreshing={refreshing} onRefresh={onRefresh} />
        )
      }
    />
  )
}

/** The register has no card of this id. */
function CardMissing({ cardId }: { cardId: string }) {
  return (
    <>
      <PageHeader title="Not in the register" path={[{ label: "Gift cards", to: "/cards" }]} />
      <EmptyState
        icon={IconCreditCard}
        title={`No card in the register has the id ${cardId}`}
        help="The service may still have it: look it up to add it."
        actions={
          <>
            <Button
              variant="filled"
              renderRoot={(props) => (
                <Link {...props} to="/cards" search={{ open: "look-up", find: cardId }} />
              )}
            >
              Look it up
            </Button>
            <Button renderRoot={(props) => <Link {...props} to="/cards" />}>Back to gift cards</Button>
          </>
        }
      />
    </>
  )
}

const auditParts = 1
const noJob = ""

/**
 * What happened to a card, newest first: the issue, how often its request was repeated, the last look-up, and, for who
 * reads the audit log, who revealed its link and why.
 */
function CardHistory({ card }: { card: RegisteredCard }) {
  const mayAudit = useCan("audit.read")
  const mayJobs = useCan("jobs.read")
  const audit = useQuery({
    ...auditQuery({ kind: "card", id: card.id }, auditParts),
    enabled: mayAudit,
  })
  const { job } = card
  const row = useQuery({
    ...jobRowsQuery(job?.id ?? noJob, { search: String(job?.row ?? 0), per_page: 100 }),
    enabled: mayJobs && job !== null,
  }).data?.rows.find((each) => each.row === job?.row)
  const all = historyOf(card, row, audit.data?.entries ?? [])
  return (
    <section className={classes.history} aria-label="History">
      <h2>History</h2>
      {audit.error !== null && (
        <ErrorNotice
          error={audit.error}
          what="Couldn’t load the audit log, so reveals are missing here."
          onRetry={() => void audit.refetch()}
        />
      )}
      {all.length === 0 ? (
        <p className="text-muted">No history.</p>
      ) : (
        <ol className={classes.list}>
          {all.map(({ key, at, title, help, tone }) => (
            <li key={key} className={classes.item} data-tone={tone}>
              <span className={classes.historyHeader}>
                <span className="l-medium">{title}</span>
                <span className="text-muted">
                  <RelativeTime at={at} calendar />
                </span>
              </span>
              {help !== "" && <span className="text-secondary">{help}</span>}
              <span className="l-meta text-muted">{exact(at)}</span>
            </li>
          ))}
        </ol>
      )}
      {mayAudit ? (
        <p className="l-meta">
          <Link to="/audit" search={{ id: card.id }} className="l-link">
            All audit entries for this card
          </Link>
        </p>
      ) : (
        <p className="l-meta text-muted">Your role can’t view the audit log, so reveals aren’t shown here.</p>
      )}
    </section>
  )
}

/** One entry of a card's history. */
interface HistoryEntry {
  readonly key: string
  /** ISO 8601. */
  readonly at: string
  readonly title: string
  /** One or two sentences; empty where the title says it all. */
  readonly help: string
  readonly tone: "success" | "warning" | "plain"
}

/** What happened to a card, newest first: from the register, from the row that issued it and from the audit log. */
function historyOf(
  card: RegisteredCard,
  row: JobRow | undefined,
  entries: readonly AuditEntry[],
): HistoryEntry[] {
  const all = [...issued(card, row), ...lookedUp(card), ...entries.flatMap(audited)]
  return all.toSorted((one, other) => millis(other.at) - millis(one.at))
}

function issued(card: RegisteredCard, row: JobRow | undefined): HistoryEntry[] {
  const { issued_at: at, origin, by, member, replayed } = card
  if (at === null) return []
  if (origin === "adopted") {
    return [{ key: "issued", at, title: "Issued elsewhere", help: "", tone: "plain" }]
  }
  const attempts = row?.attempts ?? 0
  const help = [
    origin === "unexpected"
      ? "The service issued it when the link of another card was revealed."
      : attempts > 1
        ? `The same request was sent ${attempts} times until the service responded. Its key ensured a single card.`
        : "",
    replayed === true
      ? "The confirming response was a replay of an earlier one: no second card was issued."
      : "",
    member.created === true ? "A pending member was created for it." : "",
  ]
  return [
    {
      key: "issued",
      at,
      title: origin === "unexpected" ? "Issued unexpectedly" : `Issued by ${by.name}`,
      help: help.filter(Boolean).join(" "),
      tone: origin === "unexpected" ? "warning" : "success",
    },
  ]
}

function lookedUp({ looked_up_at: at, status }: RegisteredCard): HistoryEntry[] {
  if (at === null) return []
  return [
    {
      key: "looked-up",
      at,
      title: "Looked up at the service",
      help: status === null ? "" : `Its status was “${status}”.`,
      tone: "plain",
    },
  ]
}

/** Reveals and additions as the audit log has them; issues are in it too, and come from the register. */
function audited({ id: key, at, action, actor, outcome, note }: AuditEntry): HistoryEntry[] {
  if (action === "card.reveal") {
    return outcome === "done"
      ? [
          {
            key,
            at,
            title: `${actor.name} revealed the link`,
            help: note === null ? "" : `Reason: ${note}`,
            tone: "plain",
          },
        ]
      : [{ key, at, title: "No link was shown", help: note ?? "", tone: "warning" }]
  }
  if (action === "card.adopt") {
    return [{ key, at, title: `Added to the register by ${actor.name}`, help: "", tone: "plain" }]
  }
  return action === "card.issue" && outcome !== "done"
    ? [{ key, at, title: "The service issued a card unexpectedly", help: note ?? "", tone: "warning" }]
    : []
}
