import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { CardTemplates } from "../../../../contract/cards.ts"
import { cardPairsQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { AmountRefusal, useAmountRefusal } from "../../../forms/amount-limits.tsx"
import { BudgetLine } from "../../../forms/job-upload/budget-line.tsx"
import frame from "../../../forms/job-upload/file-frame.module.css"
import { HandOverNote } from "../../../forms/job-upload/hand-over-note.tsx"
import { keptWords, leftOutWords } from "../../../forms/job-upload/import-words.ts"
import { RepeatsNote, useRepeats } from "../../../forms/job-upload/repeats.tsx"
import { SideFacts } from "../../../forms/job-upload/side-facts.tsx"
import { useStartImport } from "../../../forms/job-upload/use-start-import.ts"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { LeftOutDownload } from "../../../import/ui/left-out-download.tsx"
import { centsOf, cost, formatCount, formatMoney } from "../../../lib/format.ts"
import { useTemplateName } from "../show/use-template-name.ts"
import { CardChoice } from "./card-choice.tsx"
import type { Forecast } from "./forecast.ts"
import { FundNote } from "./fund-note.tsx"
import { confirmPairs } from "./send-rows.ts"
import { useForecast } from "./use-forecast.ts"
import { UsedNote, type FoundReference } from "./used-note.tsx"

interface IssueFilePanelProps {
  session: ImportSession
  /** References of the file that something at the desk has already. */
  used: readonly FoundReference[]
  onUsed: (used: readonly FoundReference[]) => void
}

/** What the rows come to, what they draw from the fund, and the one button that issues them. */
export function IssueFilePanel({ session, used, onUsed }: IssueFilePanelProps) {
  const { state } = session
  const { currency } = useSession().program
  const repeats = useRepeats("giftcard", session)
  const start = useStartImport(session, repeats)
  const { forecast, left } = useForecast(session)
  const { data: pairs } = useQuery(cardPairsQuery)
  const { data: templates, isPending } = useQuery(cardTemplatesQuery)
  const nameOf = useTemplateName()
  const money = (cents: number) => formatMoney(cents, currency)
  const { amounts, included } = state
  const face = centsOf(amounts?.sum ?? 0)
  const refusalOf = useAmountRefusal("giftcard", start.error)
  const refusal = refusalOf(centsOf(amounts?.max ?? 0), face)
  // Rows are checked against the templates; where those cannot be read, the server checks alone.
  const ready =
    included > 0 &&
    state.missing.length === 0 &&
    !state.busy &&
    !isPending &&
    repeats.checked &&
    refusal === undefined
  const begin = () =>
    void start.start({
      kind: "giftcard",
      options: {},
      // Rows whose amount was refused before are among them only because a person kept them.
      change: (rows) =>
        pairs === undefined ? rows : confirmPairs(rows, pairs, templates?.default ?? undefined),
    })
  return (
    <>
      <SideFacts
        title="What will be issued"
        figures={[
          { label: "Cards", value: formatCount(included) },
          { label: "Face value", value: money(face) },
        ]}
        facts={[
          { label: "Cards of", value: forecast === undefined ? "" : cardsOf(forecast, nameOf) },
          {
            label: "Largest",
            value: amounts === null ? "" : `${money(centsOf(amounts.max))}, row ${amounts.largestRow}`,
          },
          {
            label: "Appears more than once",
            value:
              state.people.repeated === 0
                ? ""
                : `${formatCount(state.people.repeated)} ${state.people.repeated === 1 ? "recipient" : "recipients"}`,
          },
          { label: "Kept after review", value: keptWords(state) },
          { label: "Excluded", value: leftOutWords(state) },
          { label: "Fees, as entered", value: forecast === undefined ? "" : money(forecast.feeCents) },
          { label: "GST on fees", value: forecast === undefined ? "" : money(forecast.gstCents) },
          {
            label: "Drawn from the fund",
            value: forecast === undefined ? "" : <b>{money(forecast.drawnCents)}</b>,
          },
          { label: "Amounts not entered for", value: unknownAmounts(forecast, templates) },
          { label: "Fund (as entered)", value: left === null ? "Not set" : `${money(left)} left` },
        ]}
      />
      <CardChoice session={session} />
      {!isPending && (
        <UsedNote session={session} usual={templates?.default ?? undefined} used={used} onUsed={onUsed} />
      )}
      {forecast !== undefined && <FundNote forecast={forecast} left={left} currency={currency} />}
      <p className="text-secondary">
        {cost(included)}. Each recipient gets an e-mail with a one-time link. Who is no member becomes one,
        Pending. The job runs on the server, so you can leave.
      </p>
      <RepeatsNote session={session} repeats={repeats} />
      <AmountRefusal refusal={refusal} />
      <div className={frame.end}>
        <HandOverNote
          busy={start.busy}
          error={start.error}
          done={start.done}
          total={included}
          onRetry={begin}
        />
        <BudgetLine requests={included} api="giftcard" />
        <Button size="md" variant="filled" fullWidth loading={start.busy} disabled={!ready} onClick={begin}>
          Issue {formatCount(included)} {included === 1 ? "card" : "cards"}, {money(face)}
        </Button>
        <LeftOutDownload session={session} />
      </div>
    </>
  )
}

/** Templates of the rows whose amounts nobody entered: theirs are not checked here, the service says. */
function unknownAmounts(forecast: Forecast | undefined, settings: CardTemplates | undefined): string {
  return (settings?.templates ?? [])
    .filter(({ id, denominations }) => denominations.length === 0 && forecast?.templates.has(id) === true)
    .map(({ name }) => name)
    .join(", ")
}

/** "Trade Visa", or "Trade Visa 150, Bunnings 50". */
function cardsOf({ templates }: Forecast, nameOf: (id: string) => string): string {
  const named = [...templates].map(
    ([id, count]) => [id === undefined ? "service default" : nameOf(id), count] as const,
  )
  if (named.length === 1) return named[0]?.[0] ?? ""
  return named.map(([name, count]) => `${name} ${formatCount(count)}`).join(", ")
}
