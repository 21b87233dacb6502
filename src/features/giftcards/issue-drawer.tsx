import { SimpleGrid, Stack } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type ComponentProps, useState } from "react"
import { useWatch } from "react-hook-form"
import {
  type CardPairs,
  type CardTemplates,
  fundCost,
  refusalOfPair,
  type RegisteredCard,
} from "../../../contract/cards.ts"
import type { GiftcardRow } from "../../../contract/kinds/giftcard.ts"
import type { Member } from "../../../contract/program/member.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import {
  cardCostsQuery,
  cardFundQuery,
  cardPairsQuery,
  cardQuery,
  cardTemplatesQuery,
  recentCardsQuery,
} from "../../api/gift-cards.ts"
import { memberQuery } from "../../api/members.ts"
import { useSession } from "../../api/session.ts"
import { useLeaveDrawer } from "../../forms/form.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../forms/job-drawer.tsx"
import { LoadingDrawer } from "../../forms/job-outcome.tsx"
import { submissionKey } from "../../forms/job-submission.tsx"
import { useMemberSuggestions } from "../../forms/member-suggestions.ts"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import {
  AmountField,
  DaysField,
  MatchNote,
  MoreFields,
  RecipientFields,
  ReferenceField,
  RefusedPairNote,
  TemplateField,
  twoFields,
  useReferenceCheck,
} from "./issue-fields.tsx"
import {
  effectLabels,
  emptyValues,
  issueSchema,
  type IssueValues,
  issueValues,
  pairKey,
  valuesLike,
} from "./issue-model.ts"
import { IssueOutcome } from "./issue-outcome.tsx"

const route = getRouteApi("/_app/cards/issue")

/** Issues one gift card above the register. The URL has the member and the job. */
export function IssueDrawer() {
  const { for: memberId, again, issued } = route.useSearch()
  const navigate = route.useNavigate()
  const close = useLeaveDrawer(() =>
    navigate({
      to: "/cards",
      search: ({ for: _for, again: _again, issued: _issued, ...rest }) => rest,
      resetScroll: false,
    }),
  )
  // Steps inside the drawer replace the URL, so Back closes it.
  const go = (change: { for?: undefined; again?: undefined; issued: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <JobDrawer<IssueValues>
      kind="giftcard"
      wide
      jobId={issued}
      onClose={close}
      renderForm={(typed) => (
        <LoadedIssueForm
          memberId={memberId}
          again={again}
          typed={typed}
          onSent={(jobId) => go({ issued: jobId })}
          onClose={close}
        />
      )}
      renderOutcome={(jobId, retype) => (
        <IssueOutcome
          jobId={jobId}
          onForm={(values) => {
            retype(values)
            go({ for: undefined, again: undefined, issued: undefined })
          }}
          onClose={close}
        />
      )}
    />
  )
}

function LoadedIssueForm(props: {
  memberId: string | undefined
  again: string | undefined
  typed: IssueValues | undefined
  onSent: (jobId: string) => void
  onClose: () => void
}) {
  const { memberId, again, ...rest } = props
  const templates = useQuery(cardTemplatesQuery)
  const pairs = useQuery(cardPairsQuery)
  const member = useQuery({ ...memberQuery(memberId ?? "none"), enabled: memberId !== undefined })
  const earlier = useQuery({ ...cardQuery(again ?? "none"), enabled: again !== undefined })
  const isLoading = member.isLoading || earlier.isLoading
  if (templates.data === undefined || pairs.data === undefined || isLoading) {
    return (
      <LoadingDrawer
        title={jobKindDescriptors.giftcard.labels.title}
        wide
        onClose={rest.onClose}
        error={templates.error ?? pairs.error}
        what="Couldn’t load the card templates."
        onRetry={() => {
          void templates.refetch()
          void pairs.refetch()
        }}
      />
    )
  }
  return (
    <IssueForm
      key={`${memberId ?? "anybody"} ${again ?? ""}`}
      {...rest}
      earlier={earlier.data?.data}
      member={member.data?.data}
      memberError={member.error}
      settings={templates.data}
      pairs={pairs.data}
    />
  )
}

function IssueForm(
  props: Omit<ComponentProps<typeof LoadedIssueForm>, "memberId" | "again"> & {
    earlier: RegisteredCard | undefined
    member: Member | undefined
    memberError: Error | null
    settings: CardTemplates
    pairs: CardPairs
  },
) {
  const { member, memberError, earlier, settings, pairs, typed } = props
  const { currency } = useSession().program
  const draftKey = useDraftKey(
    `issue-card:${member?.id ?? ""}${earlier === undefined ? "" : `:${earlier.id}`}`,
  )
  const usual = settings.default ?? (settings.templates.length === 1 ? settings.templates[0]?.id : undefined)
  const [begin] = useState(() => ({
    ...emptyValues(member, usual ?? "", suggestedReference(draftKey)),
    ...(earlier && valuesLike(earlier)),
  }))
  const job = useJobForm<IssueValues, GiftcardRow>({
    kind: "giftcard",
    draftKey,
    schema: (refusal) => issueSchema((cents) => refusal(cents, cents)),
    values: begin,
    typed,
    shape: issueValues,
  })
  const { control, setValue, clearErrors } = job.form.methods
  const values = { ...begin, ...useWatch({ control }) }
  const { cardId } = values
  const email = values.email.trim()
  const name = `${values.firstname.trim()} ${values.lastname.trim()}`.trim()
  const dollars = readDollars(values.denomination)
  const [moreOpen, setMoreOpen] = useState(false)
  const found = useMemberSuggestions(email.replace(/\s+/g, " "))
  const template = settings.templates.find(({ id }) => id === cardId)
  const { check: reference, checking } = useReferenceCheck(cardId, values.externalRef)
  const refusedPair = refusalOfPair(pairs, cardId, dollars)
  const unconfirmed = refusedPair !== undefined && values.confirmed !== pairKey(cardId, dollars)
  return (
    <JobForm
      job={job}
      wide
      onClose={props.onClose}
      body={(row) => ({ rows: [row] })}
      onSent={props.onSent}
      {...effectLabels(dollars, name || email, currency)}
      preview={<FundPreview cents={Number.isNaN(dollars) ? undefined : centsOf(dollars)} />}
      requests={1}
      note="Retries never issue a second card."
      waiting={checking}
      disabled={unconfirmed || reference?.state === "taken"}
    >
      {earlier !== undefined && (
        <Notice tone="warning" title="This issues a new card, it isn’t a resend">
          The fund is charged again. Card {earlier.id} isn’t cancelled: if its e-mail arrived, the recipient
          has both.
        </Notice>
      )}
      {earlier === undefined && <SameCardNote email={email} template={cardId} cents={centsOf(dollars)} />}
      {member === undefined && (
        <ErrorNotice error={memberError} what="Couldn’t load the member. Enter the recipient." />
      )}
      <RecipientFields
        control={control}
        found={found}
        onPick={(picked) => {
          setValue("email", picked.email ?? "", { shouldDirty: true })
          setValue("firstname", picked.first_name ?? "", { shouldDirty: true })
          setValue("lastname", picked.last_name ?? "", { shouldDirty: true })
          clearErrors(["email", "firstname", "lastname"])
        }}
      />
      <MatchNote
        email={email}
        accountKey={values.accountKey}
        name={name}
        found={found}
        onAddKey={moreOpen ? undefined : () => setMoreOpen(true)}
      />
      <Stack gap={20} pt={20} className="line-above">
        <TemplateField control={control} settings={settings} now={cardId} />
        <AmountField control={control} template={template} pairs={pairs} />
        {refusedPair !== undefined && (
          <RefusedPairNote
            control={control}
            pair={refusedPair}
            what={`${formatMoney(centsOf(dollars), currency)} of ${template?.name ?? cardId}`}
          />
        )}
        <SimpleGrid {...twoFields}>
          <DaysField control={control} />
          <ReferenceField control={control} check={reference} />
        </SimpleGrid>
      </Stack>
      <MoreFields control={control} open={moreOpen} onToggle={setMoreOpen} />
      <p className="caption">
        The service e-mails the link at once, in the template’s design. We can’t see the e-mail or whether it
        arrived.
      </p>
    </JobForm>
  )
}

/** Warns of a card issued to the same person within a day; issuing another one stays possible. */
function SameCardNote({ email, template, cents }: { email: string; template: string; cents: number }) {
  const { currency } = useSession().program
  const [rested] = useDebouncedValue(email, 300)
  const { data = [] } = useQuery(recentCardsQuery(rested, template))
  const same = rested === email ? data.filter(({ amount_cents }) => amount_cents === cents) : []
  const [last] = same
  if (last === undefined) return null
  return (
    <Notice
      tone="warning"
      title={`${last.member.name || email} got a ${formatMoney(cents, currency)} card of this template today`}
    >
      {last.issued_at && (
        <>
          Issued <RelativeTime at={last.issued_at} /> by {last.by.name}
        </>
      )}
      {same.length > 1 && `, and ${same.length - 1} more in the last 24 hours`}:{" "}
      <Link to="/cards/$cardId" params={{ cardId: last.id }} className="l-link">
        {last.id}
      </Link>
      . Issue another one only if they should have both.
    </Notice>
  )
}

/** A suggested unused reference, derived from the draft's key so that a reload gives the same. */
function suggestedReference(draftKey: string): string {
  return `GC-${submissionKey(draftKey).slice(0, 8).toUpperCase()}`
}

/** The cost of a card to the fund, by fee, GST and fund as entered in the settings. */
function FundPreview({ cents }: { cents: number | undefined }) {
  const { currency } = useSession().program
  const { data: costs } = useQuery(cardCostsQuery)
  const left = useQuery(cardFundQuery).data?.left_cents ?? null
  const money = (amount: number) => formatMoney(amount, currency)
  const draw = cents !== undefined &&
    costs !== undefined && { cents, fee: costs.fee_cents, all: fundCost(costs, cents) }
  const after = left === null || !draw ? undefined : left - draw.all
  const isShort = after !== undefined && after < 0
  return (
    <DescriptionList
      layout="inline"
      items={[
        draw && [
          "Drawn from the fund (forecast, live cards)",
          <>
            <b>{money(draw.all)}</b>{" "}
            {draw.fee === 0
              ? "face value, no fee set"
              : `= ${money(draw.cents)} + ${money(draw.fee)} fee + ${money(draw.all - draw.cents - draw.fee)} GST`}
          </>,
        ],
        left !== null && [
          "Fund (as entered)",
          <span className={isShort ? "tone-text" : "text-secondary"} data-tone="warning">
            {money(left)} left
            {isShort && ": not enough. The service decides"}
            {!isShort && after !== undefined && `, ${money(after)} after it`}
          </span>,
        ],
        ["The recipient gets", "a one-time link by e-mail"],
      ]}
    />
  )
}
