import { Button } from "@mantine/core"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import type { AwardMode } from "../../../../contract/job.ts"
import { knownMemberTotal } from "../../../api/members.ts"
import { AmountRefusal, useAmountRefusal } from "../../../forms/amount-limits.tsx"
import { BudgetLine } from "../../../forms/job-upload/budget-line.tsx"
import frame from "../../../forms/job-upload/file-frame.module.css"
import { HandOverNote } from "../../../forms/job-upload/hand-over-note.tsx"
import { keptWords, leftOutWords } from "../../../forms/job-upload/import-words.ts"
import { RepeatsNote, useRepeats } from "../../../forms/job-upload/repeats.tsx"
import { SideFacts } from "../../../forms/job-upload/side-facts.tsx"
import { useStartImport } from "../../../forms/job-upload/use-start-import.ts"
import { MembersSee } from "../../../forms/members-see.tsx"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { LeftOutDownload } from "../../../import/ui/left-out-download.tsx"
import { cost, formatCount, formatPoints } from "../../../lib/format.ts"
import { pointsText } from "../drawer/points-model.ts"
import { ModeChoice } from "../mode-choice.tsx"
import type { PointsAct } from "../points-search.ts"
import { fileCost } from "./file-cost.ts"
import { fileWords } from "./file-words.ts"

interface PointsFilePanelProps {
  session: ImportSession
  kind: PointsAct
}

/** What the rows come to, how they are sent, and the one button that does it. */
export function PointsFilePanel({ session, kind }: PointsFilePanelProps) {
  const { state } = session
  const words = fileWords[kind]
  const repeats = useRepeats(kind, session)
  const start = useStartImport(session, repeats)
  const costs = fileCost(kind, state, knownMemberTotal(useQueryClient()))
  const withReference =
    state.columns.some(({ field }) => field === "reference") || "reference" in state.constants
  const withMetadata = state.columns.some(({ field }) => field?.startsWith("metadata.") === true)
  // One award costs the same either way, and by itself it carries a reference: its reason needs no code.
  const single = state.included === 1
  const mode: AwardMode =
    kind === "deduct" || withReference || withMetadata || single || state.choices["mode"] === "single"
      ? "single"
      : "bulk"
  const reason = useReasonExample(session)
  const { amounts, people, included } = state
  const members = people.members
  const refusalOf = useAmountRefusal(kind, start.error)
  const refusal = amounts === null ? undefined : refusalOf(amounts.max, amounts.sum)
  const ready =
    included > 0 && state.missing.length === 0 && !state.busy && repeats.checked && refusal === undefined
  const what = `${pointsText(amounts?.sum ?? 0)} ${words.preposition} ${formatCount(members)} ${members === 1 ? "member" : "members"}`
  const begin = () => void start.start({ kind, options: kind === "award" ? { mode } : {} })
  return (
    <>
      <SideFacts
        title={words.panel}
        figures={[
          { label: "Points", value: formatPoints(amounts?.sum ?? 0) },
          { label: "Members", value: formatCount(members) },
        ]}
        facts={[
          { label: words.usual, value: amounts === null ? "" : range(amounts.usualFrom, amounts.usualTo) },
          {
            label: "Largest",
            value: amounts === null ? "" : `${formatPoints(amounts.max)}, row ${amounts.largestRow}`,
          },
          {
            label: "Appears more than once",
            value:
              people.repeated === 0
                ? ""
                : `${formatCount(people.repeated)} ${people.repeated === 1 ? "member" : "members"}`,
          },
          { label: "Kept after review", value: keptWords(state) },
          { label: "Excluded", value: leftOutWords(state) },
          {
            label: "Matched by e-mail",
            value:
              people.byEmail === 0
                ? ""
                : `${formatCount(people.byEmail)} ${people.byEmail === 1 ? "member" : "members"}`,
          },
        ]}
      />
      {kind === "award" ? (
        <ModeChoice
          value={mode}
          onChange={(chosen) => void session.choose({ mode: chosen })}
          requests={costs.requests}
          noBulk={
            withReference
              ? "Batched requests can’t carry a reference."
              : withMetadata
                ? "Batched requests can’t carry metadata."
                : single
                  ? "A single award is sent by itself."
                  : undefined
          }
          including={resolvingWords(costs.resolving)}
        />
      ) : (
        <p className="text-secondary">
          {cost(costs.requests.single)}. {resolvingWords(costs.resolving)} Each deduction is a request of its
          own. The job runs on the server, so you can leave.
        </p>
      )}
      <MembersSee reason={reason} sent={kind === "deduct" ? "deduct" : mode} />
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
        <BudgetLine requests={costs.requests[mode]} />
        <Button size="md" variant="filled" fullWidth loading={start.busy} disabled={!ready} onClick={begin}>
          {words.verb} {what}
        </Button>
        <LeftOutDownload session={session} />
      </div>
    </>
  )
}

/** One of the reasons in the rows, to show what becomes of it. */
function useReasonExample({ state, distinct }: ImportSession): string {
  const constant = state.constants["reason"]
  const { data } = useQuery({
    queryKey: ["import-reason", state.key, state.revision],
    queryFn: async () => (await distinct("reason"))[0] ?? "",
    enabled: constant === undefined && !state.busy && state.included > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return constant ?? data ?? ""
}

function range(from: number, to: number): string {
  return from === to ? formatPoints(from) : `${formatPoints(from)} to ${formatPoints(to)}`
}

/** What finding members by e-mail adds; empty when every row has an id. */
function resolvingWords(requests: number): string | undefined {
  return requests === 0 ? undefined : `Finding members by e-mail uses up to ${cost(requests)} of it.`
}
