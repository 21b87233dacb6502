import { Button } from "@mantine/core"
import { useMemo } from "react"
import { BudgetLine } from "../../../forms/job-upload/budget-line.tsx"
import frame from "../../../forms/job-upload/file-frame.module.css"
import { HandOverNote } from "../../../forms/job-upload/hand-over-note.tsx"
import { keptWords, leftOutWords } from "../../../forms/job-upload/import-words.ts"
import { SideFacts } from "../../../forms/job-upload/side-facts.tsx"
import { useStartImport } from "../../../forms/job-upload/use-start-import.ts"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { LeftOutDownload } from "../../../import/ui/left-out-download.tsx"
import { cost, formatCount } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { statusWord } from "../../../ui/status.tsx"
import { CarrierQuestions } from "./carrier-question.tsx"
import { jobRow } from "./plan-row.ts"
import { summarisePlan, type PlanSummary } from "./summarise-plan.ts"
import { UnreadOrders } from "./unread-orders.tsx"
import type { TrackingPlan } from "./use-tracking-plan.ts"

interface TrackingPanelProps {
  session: ImportSession
  plan: TrackingPlan
}

/** What the rows come to, what is not known, and the one button that does it. */
export function TrackingPanel({ session, plan }: TrackingPanelProps) {
  const { state } = session
  const sum = useMemo(() => summarisePlan(plan.rows), [plan.rows])
  const start = useStartImport(session)
  const ready = plan.ready && sum.changed + sum.unread > 0 && state.missing.length === 0
  // What stands in the preview is what is sent, row by row.
  const begin = () => {
    const rows = plan.rows.map(jobRow)
    void start.start({
      kind: "order-update",
      options: { title: `Tracking numbers from ${state.name}`.slice(0, 120) },
      change: (sent, first) => rows.slice(first, first + sent.length),
    })
  }
  const { numbers } = plan
  return (
    <>
      <SideFacts
        title="What will change"
        figures={[
          { label: "Orders", value: formatCount(sum.changed + sum.unread) },
          ...(sum.same === 0 ? [] : [{ label: "Nothing to change", value: formatCount(sum.same) }]),
        ]}
        facts={[
          ...sum.moves.map(([move, count]) => ({ label: move, value: formatCount(count) })),
          { label: "Number replaced", value: sum.replaced === 0 ? "" : formatCount(sum.replaced) },
          ...sum.carriers.map(([carrier, count]) => ({ label: carrier, value: formatCount(count) })),
          {
            label: "Without a carrier",
            value: sum.withoutCarrier === 0 ? "" : formatCount(sum.withoutCarrier),
          },
          { label: "Kept after review", value: keptWords(state) },
          { label: "Excluded", value: leftOutWords(state) },
        ]}
      />
      {numbers.error !== null && (
        <ErrorNotice
          error={numbers.error}
          what="Not all numbers were checked: carriers and duplicates may be missing."
          onRetry={numbers.retry}
        />
      )}
      <CarrierQuestions questions={plan.questions} carriers={numbers.carriers} />
      <UnreadOrders orders={plan.orders} />
      <p className="text-secondary">
        {cost(sum.requests)}. Each order is checked right before it’s changed; one that someone changed in the
        meantime waits for a decision and is never overwritten. The job runs on the server, so you can leave.
      </p>
      <div className={frame.end}>
        <HandOverNote
          busy={start.busy}
          error={start.error}
          done={start.done}
          total={state.included}
          onRetry={begin}
        />
        <BudgetLine requests={sum.requests} />
        <Button size="md" variant="filled" fullWidth loading={start.busy} disabled={!ready} onClick={begin}>
          {effect(sum)}
        </Button>
        <LeftOutDownload session={session} />
      </div>
    </>
  )
}

/** What the button does: "Mark 300 orders shipped", with their numbers. */
function effect({ changed, unread, status }: PlanSummary): string {
  const count = changed + unread
  const orders = count === 1 ? "1 order" : `${formatCount(count)} orders`
  if (status === undefined) return `Update ${orders}`
  return `Mark ${orders} ${statusWord("order", status).word.toLowerCase()}`
}
