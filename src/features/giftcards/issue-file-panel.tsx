import { NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type CardPairs, refusalOfPair } from "../../../contract/cards.ts"
import { giftcardRow } from "../../../contract/kinds/giftcard.ts"
import { cardPairsQuery, cardTemplatesQuery } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { ReferenceHolderLink } from "../../ui/record-link.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { ImportPanel, reviewFacts } from "../../import/import-panel.tsx"
import type { ImportSession } from "../../import/import-session.ts"
import { centsOf, counted, formatCount, formatMoney, timeNeeded, timeSentence } from "../../lib/format.ts"
import { Notice } from "../../ui/notice.tsx"
import { useTemplateName } from "./card-columns.tsx"
import type { Forecast, FoundReference, useFileCards } from "./file-cards.ts"

/** Totals of the rows, their cost to the fund, and the issue button. */
export function IssueFilePanel(props: { session: ImportSession; cards: ReturnType<typeof useFileCards> }) {
  const { session, cards } = props
  const { state } = session
  const { forecast, left, used } = cards
  const { currency } = useSession().program
  const { data: pairs } = useQuery(cardPairsQuery)
  const { data: templates, isPending } = useQuery(cardTemplatesQuery)
  const nameOf = useTemplateName()
  const { amounts, included } = state
  const { repeated } = state.people
  const money = (cents: number | undefined) => (cents === undefined ? "" : formatMoney(cents, currency))
  const sum = centsOf(amounts?.sum ?? 0)
  // Their amounts are not checked here: the service decides.
  const unknownAmounts = [...(forecast?.templates.keys() ?? [])].filter(
    (used) => !templates?.templates.some(({ id, denominations }) => id === used && denominations.length > 0),
  )
  const nameOfUsed = (id: string | undefined) => (id === undefined ? "service default" : nameOf(id))
  const hasFee = forecast !== undefined && (forecast.feeCents > 0 || included === 0)
  return (
    <ImportPanel
      session={session}
      job={{
        kind: "giftcard",
        options: {},
        change: (row) => confirmPair(row, pairs, templates?.default ?? undefined),
      }}
      title="What will be issued"
      figures={[
        { label: "Cards", value: formatCount(included) },
        { label: "Face value", value: money(sum) },
      ]}
      facts={[
        ["Cards of", forecast && templatesText(forecast, nameOfUsed)],
        ["Largest", amounts && `${money(centsOf(amounts.max))}, row ${amounts.largestRow}`],
        ["Appears more than once", repeated === 0 ? "" : counted(repeated, "recipient")],
        ...reviewFacts(state),
        ["Fees, as entered", forecast && (hasFee ? money(forecast.feeCents) : "None set")],
        ["GST on fees", hasFee && money(forecast.gstCents)],
        [
          "Drawn from the fund (forecast, live cards)",
          forecast && (
            <>
              {!hasFee && "At least "}
              <b>{money(forecast.drawnCents)}</b>
            </>
          ),
        ],
        ["Amounts not entered for", unknownAmounts.map(nameOfUsed).join(", ")],
        ["Fund (as entered)", left === null ? "Not set" : `${money(left)} left`],
      ]}
      moved={{ largest: centsOf(amounts?.max ?? 0), sum }}
      action={`Issue ${counted(included, "card")}, ${money(sum)}`}
      // Rows are checked against the templates; if those fail to load, only the server checks.
      ready={!isPending}
    >
      <CardChoice session={session} />
      <UsedReferences used={used} />
      <FundNote forecast={forecast} left={left} currency={currency} />
      <p className="text-secondary">
        {timeSentence(timeNeeded(included, "jobs", "giftcard"))}Each recipient gets an e-mail with a one-time
        link. People who aren’t members yet are added as pending. The job runs on the server, so you can
        leave.
      </p>
    </ImportPanel>
  )
}

function templatesText({ templates }: Forecast, nameOf: (id: string | undefined) => string): string {
  const named = Array.from(templates, ([id, count]) => [nameOf(id), count] as const)
  if (named.length === 1) return named[0]?.[0] ?? ""
  return named.map(([name, count]) => `${name} ${formatCount(count)}`).join(", ")
}

/** A row whose amount was refused before is included only if confirmed. */
function confirmPair(
  row: Readonly<Record<string, unknown>>,
  pairs: CardPairs | undefined,
  usual: string | undefined,
) {
  const card = giftcardRow.safeParse(row).data
  if (pairs === undefined || card === undefined) return row
  const { cardId = usual, denomination } = card
  return refusalOfPair(pairs, cardId, denomination) === undefined ? row : { ...card, confirm_pair: true }
}

/** The card of rows without one in their columns. */
function CardChoice({ session }: { session: ImportSession }) {
  const { columns, constants } = session.state
  const { data } = useQuery(cardTemplatesQuery)
  if (data === undefined || data.templates.length === 0) return null
  const usual = data.templates.find(({ id }) => id === data.default)?.name ?? data.default
  if (columns.some(({ field }) => field === "cardId")) {
    return usual === null ? null : (
      <p className="text-secondary">Rows that name no card take {usual}, the default.</p>
    )
  }
  return (
    <NativeSelect
      size="md"
      label="Card"
      rightSection={<SelectChevron />}
      value={constants["cardId"] ?? ""}
      data={[
        { value: "", label: usual === null ? "Choose a card" : `${usual} (default)` },
        ...data.templates
          .filter(({ id }) => id !== data.default)
          .map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) =>
        void session.change((sheet) => sheet.fill("cardId", currentTarget.value))
      }
    />
  )
}

const namedReferences = 5

function UsedReferences({ used }: { used: readonly FoundReference[] }) {
  if (used.length === 0) return null
  return (
    <Notice
      tone="warning"
      title={`${counted(used.length, "reference")} ${used.length === 1 ? "is" : "are"} already used`}
    >
      A reference makes one card of a template, so these rows are left out. For a second card, enter another
      reference.
      {used.slice(0, namedReferences).map(({ template, reference, taken }) => (
        <span key={`${template} ${reference}`}>
          <br />
          <span className="l-mono">{reference}</span>: <ReferenceHolderLink by={taken} />
        </span>
      ))}
      {used.length > namedReferences && (
        <>
          <br />
          {formatCount(used.length - namedReferences)} more.
        </>
      )}
    </Notice>
  )
}

function FundNote(props: { forecast: Forecast | undefined; left: number | null; currency: string }) {
  const { forecast, left, currency } = props
  if (forecast === undefined || left === null || forecast.dryAfter === null) return null
  const { drawnCents, dryAfter } = forecast
  return (
    <Notice
      tone="warning"
      title={
        dryAfter === 0
          ? "The fund doesn’t cover the first row"
          : `The fund runs out after row ${formatCount(dryAfter)}`
      }
    >
      It is {formatMoney(drawnCents - left, currency)} short. If the service finds it empty, the job stops
      after one call and goes on after a top-up: nothing is issued twice.
    </Notice>
  )
}
