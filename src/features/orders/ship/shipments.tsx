import { Button } from "@mantine/core"
import { IconClockHour4, IconCloudCheck, IconHelpCircle, IconSend } from "@tabler/icons-react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { rowOutcomeWords } from "../../../../contract/row-outcomes.ts"
import { carriersQuery } from "../../../api/carriers.ts"
import { OrderConflictView } from "../order-conflict.tsx"
import { undoFor } from "./flow.ts"
import {
  drop,
  goOn,
  type OutboxData,
  type Parcel,
  release,
  type ShippedParcel,
  undoneOrders,
} from "./outbox.ts"
import type { OrderNames } from "./ship-queue.tsx"
import type { Shipping } from "./shipping.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { useOneRow } from "../../../forms/one-row.ts"
import { newKey } from "../../../lib/new-key.ts"
import { formatCount } from "../../../lib/format.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./ship.module.css"

interface OutboxListProps {
  parcels: readonly Parcel[]
  offline: boolean
  shipping: Shipping
  names: OrderNames
  onUndo: (key: string) => void
}

/** What was scanned and is not saved yet, in the order it is sent. Nothing leaves it unseen. */
export function OutboxList({ parcels, offline, shipping, names, onUndo }: OutboxListProps) {
  if (parcels.length === 0) return null
  return (
    <section aria-label="Outbox">
      <div className={classes.outboxHead}>
        <h2>Outbox</h2>
        <span className="text-muted l-num">
          {parcels.length === 1 ? "1 parcel" : `${formatCount(parcels.length)} parcels`}
          {offline ? ", sent in this order when you’re back online" : ", sent in this order"}
        </span>
      </div>
      <ul className={classes.list}>
        {parcels.map((parcel) => (
          <li key={parcel.key} className={classes.item}>
            <div className={classes.row}>
              <StateIcon parcel={parcel} />
              <span className={classes.outboxWords}>
                <span className={classes.outboxName}>{names(parcel.order_id) ?? parcel.order_id}</span>
                <span className={classes.outboxFacts}>
                  <span className="l-mono">{parcel.order_id}</span> {parcel.carrier ?? "No carrier yet"}{" "}
                  <span className="l-mono">{parcel.tracking_number}</span>
                </span>
              </span>
              <span className={classes.state}>{stateWords(parcel, offline)}</span>
              <UndoOrCorrect parcel={parcel} onUndo={onUndo} />
            </div>
            {parcel.state === "asks" && <ParcelQuestion parcel={parcel} shipping={shipping} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function StateIcon({ parcel: { state } }: { parcel: Parcel }) {
  const Icon = state === "asks" ? IconHelpCircle : state === "sent" ? IconSend : IconClockHour4
  return <Icon size={18} stroke={1.75} aria-hidden className={classes.outboxIcon} data-state={state} />
}

function stateWords({ state, job, undoes }: Parcel, offline: boolean): string {
  if (state === "asks") return "Your decision needed"
  if (undoes !== undefined) return offline ? "Undo waits" : "Undoing…"
  if (state === "waiting") return offline ? "Waits" : "Next"
  return job === null && offline ? "Sent, waiting for a response" : "Saving…"
}

interface ParcelQuestionProps {
  parcel: Parcel
  shipping: Shipping
}

/** Why a parcel waits for a person, and what that person can do about it. Nothing is chosen beforehand. */
function ParcelQuestion({ parcel, shipping }: ParcelQuestionProps) {
  const { job, question } = parcel
  if (question === null) return null
  return (
    <div className={classes.question} data-keeps-focus>
      {question.kind === "conflict" && job !== null ? (
        <Conflict job={job} shipping={shipping} />
      ) : (
        <Simple parcel={parcel} shipping={shipping} message={question.message} />
      )}
    </div>
  )
}

/** Three ways: as it was seen, as it is there now, as it was scanned. The desk's sender sees what was decided. */
function Conflict({ job, shipping }: { job: string; shipping: Shipping }) {
  const { one, error, refetch } = useOneRow(job)
  const decided = `${one?.row.state} ${one?.row.decision?.at}`
  useEffect(() => {
    if (decided !== "") shipping.checkNow()
  }, [shipping, decided])
  if (one === undefined) {
    return error === null ? null : (
      <ErrorNotice error={error} what="Couldn’t load the comparison." onRetry={refetch} />
    )
  }
  if (one.row.conflict === undefined) {
    return (
      <p className="text-secondary">
        {one.row.outcome?.message} <JobLink id={job}>Review and decide</JobLink>
      </p>
    )
  }
  return <OrderConflictView one={one} conflict={one.row.conflict} />
}

function Simple({ parcel, shipping, message }: ParcelQuestionProps & { message: string }) {
  const { key, job, question } = parcel
  const { outbox, calls } = shipping
  const { data: carriers } = useQuery({
    ...carriersQuery,
    enabled: question?.code === "carrier_unknown",
  })
  const act = useMutation({ mutationFn: (run: () => Promise<unknown>) => run() })
  const free = job === null || question?.kind === "cancelled"
  const again = async () => {
    if (free || job === null) return outbox.change(release(key, newKey()))
    await (question?.kind === "absent" ? calls.decide(job, { decision: "resend" }) : calls.retry(job))
    return outbox.change(goOn(key))
  }
  const leave = async () => {
    if (question?.kind === "absent" && job !== null) await calls.decide(job, { decision: "leave" })
    return outbox.change(drop(key))
  }
  const button = (words: string, run: () => Promise<unknown>) => (
    <Button key={words} disabled={act.isPending} onClick={() => act.mutate(run)}>
      {words}
    </Button>
  )
  return (
    <>
      <p className="text-secondary">
        {message} {job !== null && question?.kind !== "gone" && <JobLink id={job}>{job}</JobLink>}
      </p>
      <div className={classes.outboxChoices}>
        {carriers?.carriers
          .filter(({ offered }) => offered)
          .map(({ name }) => button(name, () => outbox.change(release(key, newKey(), name))))}
        {question?.kind !== "gone" && button(againWords(parcel), again)}
        {button("Remove it", leave)}
      </div>
      {act.error !== null && <ErrorNotice error={act.error} what="Nothing was changed." />}
    </>
  )
}

function againWords({ question }: Parcel): string {
  switch (question?.code) {
    case "number_used":
      return "Send it: it’s one parcel"
    case "carrier_unknown":
      return "Send it without a carrier"
    default:
      return question?.kind === "failed" && Object.hasOwn(rowOutcomeWords, question.code)
        ? "Send it again"
        : "Try again"
  }
}

/** How many of them are shown. */
const shown = 6

interface BeforeThatProps {
  shipped: readonly ShippedParcel[]
  outbox: OutboxData
  names: OrderNames
  onUndo: (key: string) => void
}

/** What was saved before, the last one first. */
export function RecentShipments({ shipped, outbox, names, onUndo }: BeforeThatProps) {
  const allSaved = outbox.parcels.length === 0
  const undoing = undoneOrders(outbox)
  if (shipped.length === 0 && !allSaved) return null
  return (
    <section aria-label="Shipped earlier">
      <div className={classes.recentHead}>
        <h2>Shipped earlier</h2>
        {allSaved && (
          <span className={classes.saved}>
            <IconCloudCheck size={15} stroke={1.75} aria-hidden />
            All saved
          </span>
        )}
      </div>
      {shipped.length === 0 && <p className="text-muted">Nothing in the last 24 hours on this browser.</p>}
      <ul>
        {shipped.slice(0, shown).map((each) => (
          <li key={`${each.order_id} ${each.at}`} className={classes.recentRow}>
            <span className="l-mono text-secondary truncate">{each.order_id}</span>
            <span className={classes.what}>{names(each.order_id) ?? ""}</span>
            <span className={classes.carrier}>{each.carrier ?? "No carrier"}</span>
            <span className="l-mono text-secondary truncate">{each.tracking_number}</span>
            <span className={classes.when}>
              <RelativeTime at={each.at} />
            </span>
            <span className={classes.act}>
              {undoing.has(each.order_id) ? "Undoing…" : <UndoOrCorrect shipped={each} onUndo={onUndo} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface UndoOrCorrectProps {
  /** The parcel while it stands in the outbox. */
  parcel?: Parcel | undefined
  /** ... and once its order was confirmed. */
  shipped?: ShippedParcel | undefined
  onUndo: (key: string) => void
  /** It is the parcel that the key U undoes. */
  withKey?: boolean
}

/** Undoes a parcel for a minute after its scan, longer while it was not sent; after that its order is corrected by hand. */
export function UndoOrCorrect({ parcel, shipped, onUndo, withKey = false }: UndoOrCorrectProps) {
  const now = useNow("second")
  if (parcel?.undoes !== undefined || parcel?.state === "asks") return null
  const key = parcel?.key ?? shipped?.key
  const scannedAt = parcel?.at ?? shipped?.scanned_at ?? 0
  if (key !== undefined && (parcel?.state === "waiting" || now - scannedAt <= undoFor)) {
    return (
      <Button size="xs" onClick={() => onUndo(key)} {...(withKey && { rightSection: <kbd>U</kbd> })}>
        Undo
      </Button>
    )
  }
  if (shipped === undefined) return null
  const { order_id: order } = shipped
  return (
    <Button
      size="xs"
      aria-label={`Correct ${order}`}
      renderRoot={(props) => <Link {...props} to="/orders/ship/edit" search={{ order }} />}
    >
      Correct
    </Button>
  )
}
