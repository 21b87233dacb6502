import { IconEye, IconHelpCircle, IconPencil, IconPlus, IconX, type Icon } from "@tabler/icons-react"
import type { OrderAddress } from "../../../../contract/orders.ts"
import type { Order } from "../../../../contract/program/order.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { statusWord } from "../../../ui/status.tsx"
import classes from "./order-timeline.module.css"
import type { OrderEvent } from "./timeline.ts"
import { useTimeline } from "./use-timeline.ts"

interface OrderTimelineProps {
  order: Order
  address: OrderAddress | undefined
}

/** What happened to an order, as far as it was observed; moves of its status are shown, never predicted. */
export function OrderTimeline({ order, address }: OrderTimelineProps) {
  const { events, audited, jobs, error, retry } = useTimeline(order, address)
  return (
    <section className={classes.section} aria-labelledby="order-timeline">
      <h2 id="order-timeline">History</h2>
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load all of Laurel’s changes." onRetry={retry} />
      )}
      {events.length === 0 ? (
        <p className="text-muted">The order carries no dates, and nothing was changed here.</p>
      ) : (
        <ol className={classes.events}>
          {events.map((event) => (
            <Event key={event.key} event={event} />
          ))}
        </ol>
      )}
      <p className={`l-meta text-muted ${classes.foot}`}>{whereLooked(audited, jobs)}</p>
    </section>
  )
}

const kindIcons: Readonly<Record<OrderEvent["kind"], Icon>> = {
  service: IconPlus,
  change: IconPencil,
  refused: IconX,
  open: IconHelpCircle,
  reveal: IconEye,
}

function Event({ event }: { event: OrderEvent }) {
  const { at, by, job, kind, note, status, title } = event
  const word =
    status === undefined || kind === "refused" || kind === "open" ? undefined : statusWord("order", status)
  const Mark = word?.icon ?? kindIcons[kind]
  return (
    <li className={classes.event}>
      <Mark
        size={16}
        stroke={1.75}
        aria-hidden
        className={classes.mark}
        data-tone={word?.tone ?? (kind === "open" ? "warning" : kind === "refused" ? "danger" : "grey")}
      />
      <span className={classes.words}>
        <span className="l-medium">{title}</span>
        <span className={classes.by}>
          {kind === "service" ? "from the program service" : by}
          {job !== undefined && (
            <>
              {", "}
              <JobLink id={job} />
            </>
          )}
        </span>
        {note !== undefined && note !== "" && <span className={classes.note}>{note}</span>}
      </span>
      <span className={classes.time}>
        <RelativeTime at={at} calendar />
      </span>
    </li>
  )
}

function whereLooked(audited: "none" | "own" | "all", jobs: number | undefined): string {
  const own = [
    "the order’s own dates",
    ...(audited === "none" ? [] : [audited === "own" ? "your part of the audit log" : "the audit log"]),
    ...(jobs === undefined || jobs === 0
      ? []
      : [jobs === 1 ? "the newest job of several orders" : `the newest ${jobs} jobs of several orders`]),
  ]
  const list = own.length === 1 ? own[0] : `${own.slice(0, -1).join(", ")} and ${own.at(-1)}`
  return `From ${list}. The service keeps no history, so changes made elsewhere don’t show.`
}
