import { Box, Group, Stack } from "@mantine/core"
import { IconClockHour4, IconCloudCheck, IconHelpCircle, IconSend } from "@tabler/icons-react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { type Carrier, identifiesCarrier } from "../../../../contract/orders.ts"
import { rowOutcomeMessages } from "../../../../contract/row-outcomes.ts"
import { carriersQuery, useChooseCarrier } from "../../../api/orders.ts"
import { JobLink, OrderLink } from "../../../ui/record-link.tsx"
import { useOneRow } from "../../../forms/one-row.ts"
import { counted } from "../../../lib/format.ts"
import { newKey } from "../../../lib/new-key.ts"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { OrderConflictView } from "../order-conflict.tsx"
import type { ShipDesk } from "./desk.ts"
import {
  drop,
  resume,
  type OutboxData,
  type Parcel,
  release,
  setCarrier,
  type ShippedParcel,
  undoneOrders,
} from "./outbox.ts"
import { undoFor } from "./reducer.ts"
import { ParcelLines } from "./ship-orders.tsx"
import type { Shipping } from "./shipping.ts"
import { Button, LinkButton } from "../../../ui/button.tsx"

export interface Bench {
  readonly shipping: Shipping
  readonly desk: ShipDesk
  readonly outbox: OutboxData
  readonly offline: boolean
  /** Labels of known orders with recipient: "Drill kit for Ana Silva". */
  readonly names: ReadonlyMap<string, string>
}

const stateIcons = { waiting: IconClockHour4, sent: IconSend, asks: IconHelpCircle }

/** Scanned parcels that are not saved yet, in sending order. */
export function OutboxList({ bench }: { bench: Bench }) {
  const { outbox, offline, names, shipping } = bench
  const { parcels } = outbox
  if (parcels.length === 0) return null
  return (
    <section aria-label="Outbox">
      <Group gap="0 8px" align="baseline" mih={28}>
        <h2>Outbox</h2>
        <span className="text-muted l-num">
          {counted(parcels.length, "parcel")}, sent in this order{offline && " when you’re back online"}
        </span>
      </Group>
      <ul className="ruled line-above">
        {parcels.map((parcel) => {
          const { key, order_id: id, carrier, tracking_number: number, state, job, row, question } = parcel
          const Icon = stateIcons[state]
          const tone = state === "sent" ? "info" : "warning"
          const isConflict = question?.kind === "conflict" && job !== null
          return (
            <li key={key}>
              <Group wrap="nowrap" gap={12} mih={52} py={6}>
                <Icon size={18} stroke={1.75} aria-hidden className="tone-mark" data-tone={tone} />
                <ParcelLines title={names.get(id) ?? id}>
                  <span className="l-mono">{id}</span> {carrier ?? "No carrier yet"}{" "}
                  <span className="l-mono">{number}</span>
                </ParcelLines>
                <span className="text-secondary">{stateText(parcel, offline)}</span>
                <UndoOrCorrect parcel={parcel} desk={bench.desk} />
              </Group>
              {state === "asks" && (
                <Stack gap={12} pb={16} ps={{ sm: 30 }} data-keeps-focus>
                  {isConflict && <Conflict job={job} row={row} shipping={shipping} />}
                  {!isConflict && <Choices parcel={parcel} shipping={shipping} />}
                </Stack>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function stateText({ state, job, undoes }: Parcel, offline: boolean): string {
  if (state === "asks") return "Look at this one"
  if (undoes !== undefined) return offline ? "Undo waits" : "Undoing…"
  if (state === "waiting") return "Waiting"
  return job === null && offline ? "Sent, waiting for a response" : "Saving…"
}

function Conflict(props: { job: string; row: number | undefined; shipping: Shipping }) {
  const { job, row, shipping } = props
  const { one, error, refetch } = useOneRow(job, row)
  const decided = `${one?.row.state} ${one?.row.decision?.at}`
  useEffect(() => {
    if (decided !== "") shipping.checkNow()
  }, [shipping, decided])
  if (one === undefined) {
    return <ErrorNotice error={error} what="Couldn’t load the comparison." onRetry={refetch} />
  }
  if (one.row.conflict !== undefined)
    return <OrderConflictView one={one} conflict={one.row.conflict} isParcel />
  return (
    <p className="text-secondary">
      {one.row.outcome?.message} <JobLink id={job}>Review and decide</JobLink>
    </p>
  )
}

/** Why a parcel needs a person, and the possible actions. None is preselected. */
function Choices(props: { parcel: Parcel; shipping: Shipping }) {
  const { key, job, row = 1, question, tracking_number: number } = props.parcel
  const { outbox, calls } = props.shipping
  const { kind, code = "", message } = question ?? {}
  const { data: carriers } = useQuery({ ...carriersQuery, enabled: code === "carrier_unknown" })
  const { mutateAsync: remember } = useChooseCarrier()
  const act = useMutation({ mutationFn: (run: () => Promise<unknown>) => run() })
  const choose = async ({ code: carrier, name }: Carrier) => {
    if (identifiesCarrier(number)) await remember({ number, carrier }).catch(() => {})
    return outbox.change(setCarrier(key, name))
  }
  const again = async () => {
    if (job === null || kind === "cancelled") return outbox.change(release(key, newKey()))
    await (kind === "absent" ? calls.decide(job, row, { decision: "resend" }) : calls.retry(job, row))
    return outbox.change(resume(key))
  }
  const leave = async () => {
    if (kind === "absent" && job !== null) await calls.decide(job, row, { decision: "leave" })
    return outbox.change(drop(key))
  }
  const resend = kind === "failed" && Object.hasOwn(rowOutcomeMessages, code) ? "Send it again" : "Try again"
  const offered = carriers?.carriers.filter((each) => each.offered) ?? []
  const choices = [
    ...offered.map((carrier) => [carrier.name, () => choose(carrier)] as const),
    ...(kind === "gone" ? [] : [[sendAnyway[code] ?? resend, again] as const]),
    ["Remove it", leave] as const,
  ]
  return (
    <>
      <p className="text-secondary">
        {message} {job !== null && kind !== "gone" && <JobLink id={job}>{job}</JobLink>}
      </p>
      <Group gap="sm">
        {choices.map(([label, run]) => (
          <Button key={label} loading={act.isPending} onClick={() => act.mutate(run)}>
            {label}
          </Button>
        ))}
      </Group>
      <ErrorNotice error={act.error} what="Nothing was changed." />
    </>
  )
}

const sendAnyway: Readonly<Record<string, string>> = {
  number_used: "Send it: it’s one parcel",
  carrier_unknown: "Send it without a carrier",
}

const shown = 6

/** Saved parcels, newest first. */
export function RecentShipments({ bench }: { bench: Bench }) {
  const { outbox, desk, names } = bench
  const { shipped } = outbox
  const allSaved = outbox.parcels.length === 0
  const undoing = undoneOrders(outbox)
  if (shipped.length === 0 && !allSaved) return null
  return (
    <section aria-label="Shipped earlier">
      <Group justify="space-between" gap="0 16px" mih={28}>
        <h2>Shipped earlier</h2>
        {allSaved && (
          <Group gap={6} className="text-secondary">
            <IconCloudCheck size={15} stroke={1.75} aria-hidden />
            All saved
          </Group>
        )}
      </Group>
      {shipped.length === 0 && <p className="text-muted">Nothing in the last 24 hours on this browser.</p>}
      <ul className="ruled">
        {shipped.slice(0, shown).map((each) => (
          <li key={each.key}>
            <Group wrap="nowrap" gap={12} mih={52} py={6}>
              <ParcelLines title={names.get(each.order_id) ?? each.order_id}>
                <OrderLink id={each.order_id} /> {each.carrier ?? "No carrier"}{" "}
                <span className="l-mono">{each.tracking_number}</span>
              </ParcelLines>
              <Box component="span" visibleFrom="sm" className="text-muted">
                <RelativeTime at={each.shipped_at} />
              </Box>
              <span className="text-muted">
                {undoing.has(each.order_id) ? "Undoing…" : <UndoOrCorrect parcel={each} desk={desk} />}
              </span>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Undoes a parcel within a minute of its scan, or later while unsent; after that its order is corrected by hand. */
function UndoOrCorrect({ parcel, desk }: { parcel: Parcel | ShippedParcel; desk: ShipDesk }) {
  const { key, order_id: order } = parcel
  const now = useNow("second")
  if (parcel.undoes !== undefined || parcel.state === "asks") return null
  if (parcel.state === "waiting" || now - parcel.at <= undoFor) {
    return (
      <Button size="xs" onClick={() => desk.dispatch({ type: "undo", key })}>
        Undo
      </Button>
    )
  }
  if (!("shipped_at" in parcel)) return null
  return (
    <LinkButton size="xs" aria-label={`Correct ${order}`} to="/orders/ship/edit" search={{ order }}>
      Correct
    </LinkButton>
  )
}
