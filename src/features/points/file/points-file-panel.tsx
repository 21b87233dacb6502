import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { resolveRequests, sendRequests } from "../../../../contract/estimates.ts"
import type { AwardMode } from "../../../../contract/job.ts"
import { knownMemberTotal } from "../../../api/members.ts"
import { LedgerTextPreview } from "../../../forms/job-reason.tsx"
import { ImportPanel, reviewFacts } from "../../../import/import-panel.tsx"
import type { ImportSession, SheetState } from "../../../import/import-session.ts"
import { capital, counted, formatCount, formatPoints, timeNeeded, timeSentence } from "../../../lib/format.ts"
import { pointsText } from "../points-model.ts"
import { ModeChoice } from "../mode-choice.tsx"
import type { PointsAct } from "../points-search.ts"

/** Totals of the rows, the sending mode, and the submit button. */
export function PointsFilePanel({ session, kind }: { session: ImportSession; kind: PointsAct }) {
  const { state } = session
  const { amounts, people, included } = state
  const { members, repeated, byEmail } = people
  const isAward = kind === "award"
  const noBulk = whyNoBulk(state)
  const mode: AwardMode =
    isAward && noBulk === undefined && state.choices["mode"] !== "single" ? "bulk" : "single"
  const resolving = resolveRequests(byEmail, knownMemberTotal(useQueryClient()))
  const { mostRows } = people
  const requestsOf = (chosen: AwardMode) =>
    // Deductions are always single requests.
    sendRequests({ kind, mode: isAward ? chosen : "single", rows: included, mostRows }) + resolving
  const requests = { single: requestsOf("single"), bulk: requestsOf("bulk") }
  const sum = amounts?.sum ?? 0
  const { taken } = state
  const reason = useReasonExample(session)
  return (
    <ImportPanel
      session={session}
      job={{ kind, options: isAward ? { mode } : {} }}
      title={isAward ? "What will be awarded" : "What will be deducted"}
      figures={[
        { label: "Points", value: formatPoints(sum) },
        { label: "Members", value: formatCount(members) },
      ]}
      facts={[
        [
          isAward ? "Typical award" : "Typical deduction",
          amounts && range(amounts.usualFrom, amounts.usualTo),
        ],
        ["Largest", amounts && `${formatPoints(amounts.max)}, row ${amounts.largestRow}`],
        ["Deducted", taken.rows > 0 && `${formatPoints(taken.points)} in ${counted(taken.rows, "row")}`],
        ["Appears more than once", repeated > 0 && counted(repeated, "member")],
        ...reviewFacts(state),
      ]}
      {...(amounts && { moved: { largest: amounts.max, sum } })}
      action={actionLabel(kind, sum, members, taken)}
    >
      {isAward ? (
        <ModeChoice
          value={mode}
          onChange={(chosen) => void session.change((sheet) => sheet.choose({ mode: chosen }))}
          requests={requests}
          noBulk={noBulk}
        />
      ) : (
        <p className="text-secondary">
          {timeSentence(timeNeeded(requests.single, "jobs"))}Each deduction is sent on its own. You can leave
          meanwhile.
        </p>
      )}
      <LedgerTextPreview
        reason={reason}
        sent={isAward ? mode : "deduct"}
        example={included > 1 && session.state.constants["reason"] === undefined}
      />
    </ImportPanel>
  )
}

/** `taken`: what rows with a smaller amount than before deduct. */
function actionLabel(kind: PointsAct, sum: number, members: number, taken: SheetState["taken"]): string {
  const [verb, preposition] = kind === "award" ? ["Award", "to"] : ["Deduct", "from"]
  const takes = `deduct ${pointsText(taken.points)} in ${counted(taken.rows, "row")}`
  if (taken.rows > 0 && members === 0) return capital(takes)
  const moves = `${verb} ${pointsText(sum)} ${preposition} ${counted(members, "member")}`
  return taken.rows > 0 ? `${moves} and ${takes}` : moves
}

function whyNoBulk({ columns, constants, included }: SheetState): string | undefined {
  if (columns.some(({ field }) => field === "reference") || "reference" in constants) {
    return "Only one at a time keeps the references."
  }
  if (columns.some(({ field }) => field?.startsWith("metadata."))) {
    return "Only one at a time keeps the custom fields."
  }
  // The cost is equal, and a single request has a reference, so its reason needs no code.
  return included === 1 ? "A single award goes on its own." : undefined
}

function useReasonExample({ state, read }: ImportSession): string {
  const constant = state.constants["reason"]
  const { data } = useQuery({
    queryKey: ["import-reason", state.key, state.revision],
    queryFn: async () => {
      const reason = (await read((sheet) => sheet.accepted(0, 1)))[0]?.row["reason"]
      return typeof reason === "string" ? reason : ""
    },
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
