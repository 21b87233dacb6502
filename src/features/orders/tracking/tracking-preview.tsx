import { Box, Group, Stack } from "@mantine/core"
import { IconArrowRight } from "@tabler/icons-react"
import { type ReactNode, useMemo, useState } from "react"
import type { Carrier } from "../../../../contract/orders.ts"
import { useChooseCarrier } from "../../../api/orders.ts"
import type { LookedUpOrders } from "../../../api/order-lookup.ts"
import { isReplaced, isUnresolved, jobRow, type PlannedRow, type TrackingPlan } from "./tracking-plan.ts"
import { FileChanges } from "../../../import/file-changes.tsx"
import { ImportPanel, reviewFacts } from "../../../import/import-panel.tsx"
import type { ImportSession } from "../../../import/import-session.ts"
import { counted, formatCount, listed, timeNeeded, timeSentence, withTime } from "../../../lib/format.ts"
import type { DataColumn } from "../../../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../../../ui/notice.tsx"
import { Status, statusText } from "../../../ui/status.tsx"
import { OrderLink } from "../../../ui/record-link.tsx"
import { Button } from "../../../ui/button.tsx"

export function TrackingPanel({ session, plan }: { session: ImportSession; plan: TrackingPlan }) {
  const { state } = session
  const { rows, numbers, orders } = plan
  const byNumber = useMemo(() => new Map(rows.map((each) => [each.row.number, each])), [rows])
  const notes = useMemo(
    () =>
      new Map(rows.flatMap(({ row, others }) => others.map((each) => [each.number, row.number] as const))),
    [rows],
  )
  const summary = useMemo(() => summarise(rows), [rows])
  return (
    <ImportPanel
      session={session}
      job={{
        kind: "order-update",
        options: { title: `Tracking numbers from ${state.name}`.slice(0, 120) },
        // Exactly the previewed rows are sent.
        change: (read, line) => {
          const planned = byNumber.get(line)
          return planned === undefined ? read : jobRow(planned)
        },
        skipReason: (line) => {
          const main = notes.get(line)
          return main === undefined ? undefined : `Kept as a note in row ${formatCount(main)}`
        },
      }}
      title="What will change"
      figures={[
        { label: "Orders", value: formatCount(summary.sent) },
        ...(summary.same > 0 ? [{ label: "Nothing to change", value: formatCount(summary.same) }] : []),
      ]}
      facts={[...summary.facts, ...reviewFacts(state)]}
      action={summary.action}
      ready={plan.ready && summary.sent > 0}
      compared={false}
    >
      <ErrorNotice
        error={numbers.error}
        what="Not all numbers were checked: carriers and duplicates may be missing."
        onRetry={numbers.retry}
      />
      <CarrierQuestions plan={plan} />
      <UnreadOrders orders={orders} />
      <p className="text-secondary">
        {timeSentence(timeNeeded(summary.requests, "jobs"))}Each order is checked right before it’s changed;
        one that someone changed in the meantime waits for a decision and is never overwritten. The job runs
        on the server, so you can leave.
      </p>
    </ImportPanel>
  )
}

const some = (count: number) => (count === 0 ? "" : formatCount(count))

function summarise(rows: readonly PlannedRow[]) {
  const sent = rows.filter(({ isSame }) => !isSame)
  const same = rows.length - sent.length
  const [status, ...others] = new Set(sent.map(({ after }) => after.status))
  const orders = counted(sent.length, "order")
  return {
    sent: sent.length,
    same,
    facts: [
      ...byCount(sent.flatMap(statusChange)),
      ["Number replaced", some(sent.filter(isReplaced).length)] as const,
      ...byCount(sent.flatMap(({ after }) => after.carrier ?? [])),
      ["Without a carrier", some(sent.filter(({ after }) => !after.carrier).length)] as const,
    ],
    action:
      status === undefined || others.length > 0
        ? `Update ${orders}`
        : `Mark ${orders} ${statusText("order", status).word.toLowerCase()}`,
    // Two requests per change (the order is read right before it), one when there is nothing to change.
    requests: sent.length * 2 + same,
  }
}

/** "Pending to Shipped". */
function statusChange({ before, after }: PlannedRow): string[] {
  if (before === undefined || after.status === undefined || before.status === after.status) return []
  const from = before.status ? statusText("order", before.status).word : "No status"
  return [`${from} to ${statusText("order", after.status).word}`]
}

function byCount(texts: readonly string[]) {
  return [...Map.groupBy(texts, (text) => text)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([label, all]) => [label, formatCount(all.length)] as const)
}

function CarrierQuestions({ plan: { questions, numbers } }: { plan: TrackingPlan }) {
  if (questions.length === 0) return null
  return (
    <Stack component="section" gap={12} aria-label="Carriers to choose">
      <h3>Which carrier are these?</h3>
      <p className="caption">
        Asked once for similar numbers. Without an answer they’re sent without a carrier.
      </p>
      {questions.map((question) => (
        <Question key={question.example} question={question} carriers={numbers.carriers} />
      ))}
    </Stack>
  )
}

/** The three likeliest carriers as buttons; the others on request. */
function Question(props: { question: TrackingPlan["questions"][number]; carriers: readonly Carrier[] }) {
  const { example, count, carriers } = props.question
  const choose = useChooseCarrier()
  const [all, setAll] = useState(false)
  const offered = props.carriers.filter((each) => each.offered)
  const likely = carriers.flatMap((code) => offered.find((each) => each.code === code) ?? [])
  const shown = all ? [...new Set([...likely, ...offered])] : likely.slice(0, 3)
  const numbers = counted(count, "number")
  return (
    <fieldset aria-label={`${numbers} like ${example}`}>
      <div className="wrap-anywhere">
        {numbers} like <span className="l-mono">{example}</span>
      </div>
      <Group gap="xs" mt={4}>
        {shown.map(({ code, name }) => (
          <Button
            size="xs"
            key={code}
            loading={choose.isPending}
            onClick={() => choose.mutate({ number: example, carrier: code })}
          >
            {name}
          </Button>
        ))}
        {!all && (
          <Button size="xs" variant="subtle" onClick={() => setAll(true)}>
            Another
          </Button>
        )}
      </Group>
      <ErrorNotice error={choose.error} what="Couldn’t save the carrier." />
    </fieldset>
  )
}

function UnreadOrders({ orders }: { orders: LookedUpOrders }) {
  const { unread, reading, error } = orders
  if (error !== null) {
    return <ErrorNotice error={error} what="Some orders weren’t compared." onRetry={orders.retry} />
  }
  if (reading) {
    return <p className="l-meta text-muted">Comparing with the orders…</p>
  }
  if (unread.length === 0) return null
  const isOne = unread.length === 1
  const unresolved = unread.filter((text) => isUnresolved(text, orders.orders)).length
  const named = [
    ...unread.slice(0, mostNamed),
    ...(unread.length > mostNamed ? [`${formatCount(unread.length - mostNamed)} more`] : []),
  ]
  return (
    <Notice
      tone={unresolved > 0 ? "warning" : "info"}
      title={`${counted(unread.length, "order number")} ${isOne ? "is" : "are"} not in the list of orders to ship. Check the column.`}
      action={
        <Button size="xs" onClick={orders.readRest}>
          {withTime(isOne ? "Compare it" : "Compare them", timeNeeded(unread.length))}
        </Button>
      }
    >
      {listed(named)}.{" "}
      {unresolved > 0 && `${counted(unresolved, "short number")} not looked up: not sent until compared. `}
      {unresolved < unread.length &&
        "If one already has another tracking number, you’ll be asked when it’s sent."}
    </Notice>
  )
}

/** Maximum number of orders listed by number. */
const mostNamed = 20

const columns: readonly DataColumn<PlannedRow>[] = [
  {
    label: "Order",
    rowHeader: true,
    cell: ({ orderId, before, isSame }) => (
      <>
        <OrderLink id={orderId} />
        <Box component="span" className="caption" ms={8}>
          {before === undefined ? "Not read" : isSame && "Nothing to change"}
        </Box>
      </>
    ),
  },
  { label: "Status", cell: (row) => move(row, "status", (value) => <Status of="order" value={value} />) },
  {
    label: "Tracking number",
    cell: (row) => (
      <>
        {move(row, "tracking_number", (value) => (
          <span className="l-mono">{value}</span>
        ))}
        {row.also.length > 0 && <div className="caption">Note: {row.also.join(", ")}</div>}
      </>
    ),
  },
  { label: "Carrier", cell: (row) => move(row, "carrier", (value) => value) },
]

function move({ before, after }: PlannedRow, field: keyof typeof after, draw: (value: string) => ReactNode) {
  const from = before?.[field] ?? ""
  const to = after[field]
  if (to === undefined || to === from) return <span className="text-muted">{draw(from)}</span>
  return (
    <Group component="span" display="inline-flex" gap={6} wrap="nowrap">
      {from !== "" && (
        <>
          <span className="text-muted">{draw(from)}</span>
          <IconArrowRight size={14} stroke={2} aria-label="becomes" className="text-muted" />
        </>
      )}
      <span>{to === "" ? "None" : draw(to)}</span>
    </Group>
  )
}

/** The changes of each order, before and after, without rows that have problems or are left out. */
export function ChangesTable({ plan: { rows } }: { plan: TrackingPlan }) {
  return (
    <FileChanges
      nowrap
      rows={rows}
      columns={columns}
      keyOf={({ row }) => row.number}
      isQuiet={({ isSame }) => isSame}
      none={{ title: "No orders would change", help: "Rows with problems and rows left out aren’t sent." }}
      scrollId="tracking-changes"
    />
  )
}
