import { Button } from "@mantine/core"
import {
  IconCircleCheckFilled,
  IconCloudOff,
  IconMaximize,
  IconPrinter,
  IconVolume,
  IconVolumeOff,
} from "@tabler/icons-react"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { Carrier } from "../../../../contract/carriers.ts"
import { limits } from "../../../../contract/limits.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier } from "../../../api/carriers.ts"
import { ApiError } from "../../../lib/errors.ts"
import { orderQuery } from "../../../api/orders.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { CurrentOrder } from "./current-order.tsx"
import {
  type FlowPorts,
  type FlowState,
  keepHeldOrder,
  currentOrder,
  readHeldOrder,
  type Step,
} from "./flow-state.ts"
import { createShipFlow, type ShipFlow } from "./flow.ts"
import { QuestionStrip, ResultStrip, Spoken } from "./messages.tsx"
import type { OutboxData, ShippedParcel } from "./outbox.ts"
import { ScanField } from "./scan-field.tsx"
import type { SenderState } from "./sender.ts"
import { knownOrder, knownOrders, ShipQueue, type ToShip, useOrderNames, useToShip } from "./ship-queue.tsx"
import { RecentShipments, OutboxList } from "./shipments.tsx"
import { type Shipping, useShipping } from "./shipping.ts"
import { chime, sound, switchSound } from "./sound.ts"
import type { OrderRow } from "../order-row.tsx"
import { JobLink } from "../../../forms/job-link.tsx"
import { newKey } from "../../../lib/new-key.ts"
import { externalValue } from "../../../lib/external-value.ts"
import { formatCount } from "../../../lib/format.ts"
import { duration, isSameDay, millis, timeOfDay } from "../../../lib/time.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./ship.module.css"

const title = "Ship desk"

/** Fulfilment by scanner: the order, the parcel, next. */
export function ShipPage() {
  const { user } = useSession()
  const allowed = useCan("orders.update")
  if (allowed) return <Opening userId={user.id} />
  return (
    <>
      <PageHeader title={title} />
      <div className={classes.note}>
        <Notice tone="info" title="Your role can’t ship orders">
          Fulfilment, managers and administrators do. Nothing was loaded.
        </Notice>
      </div>
    </>
  )
}

function Opening({ userId }: { userId: string }) {
  const { shipping, error } = useShipping(userId)
  if (shipping !== undefined) return <Open key={userId} shipping={shipping} />
  return (
    <>
      <PageHeader title={title} />
      {error === undefined ? (
        <SkeletonRows rows={6} columns={[40, 240]} />
      ) : (
        <div className={classes.note}>
          <Notice tone="danger" title="The outbox in this browser can’t be read">
            Earlier scans may not have been sent. Nothing was changed. Tell an administrator, and ship from
            another browser in the meantime.
          </Notice>
        </div>
      )}
    </>
  )
}

function Open({ shipping }: { shipping: Shipping }) {
  const outbox = useExternalValue(shipping.outbox.data)
  const toShip = useToShip(outbox)
  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        sum={shippedWords(outbox.shipped)}
        actions={<ShipActions rows={toShip.rows} />}
      />
      <ShipDesk shipping={shipping} toShip={toShip} outbox={outbox} />
      <Outlet />
    </div>
  )
}

function shippedWords(shipped: readonly ShippedParcel[]): string {
  const now = Date.now()
  const count = shipped.filter(({ at }) => isSameDay(millis(at), now)).length
  return `${formatCount(count)} shipped here today`
}

interface ShipDeskProps {
  shipping: Shipping
  toShip: ToShip
  outbox: OutboxData
}

/** The bench: the field, the order in hand, what came of the last scan, and what waits. */
function ShipDesk({ shipping, toShip, outbox }: ShipDeskProps) {
  // Known before the first number: offline nobody could name a carrier otherwise.
  useQuery(carriersQuery)
  const flow = useFlow(shipping, toShip)
  const state = useExternalValue(flow.state)
  const lostAt = useExternalValue(shipping.connection.lostAt)
  const sender = useExternalValue(shipping.senderState)
  const names = useOrderNames(toShip.loaded)
  useQuestionsSound(outbox)
  const { step, result } = state
  const current = currentOrder(step)
  const { parcels, shipped } = outbox
  const offline = lostAt !== null
  return (
    <div className={classes.desk}>
      <div className={classes.bench}>
        <ShipSteps step={step} />
        <ScanField flow={flow} state={state} />
        <Spoken state={state} />
        {current !== undefined && (
          <CurrentOrder
            known={current}
            row={toShip.loaded.find(({ order }) => order.order_id === current.id)}
          />
        )}
        {step.at !== "order" && step.at !== "parcel" ? (
          <QuestionStrip step={step} flow={flow} />
        ) : (
          result !== null && (
            <ResultStrip result={result} outbox={outbox} offline={offline} names={names} onUndo={flow.undo} />
          )
        )}
        {offline && <OfflineNotice since={lostAt} waiting={parcels.length} />}
        {!offline && <SenderNote state={sender} waiting={parcels.length} />}
        {!shipping.outbox.durable && (
          <Notice tone="warning" title="This browser doesn’t save anything">
            Parcels in the outbox are lost if you close this page. Stay until it’s empty, or use a normal
            window.
          </Notice>
        )}
        <OutboxList
          parcels={parcels}
          offline={offline}
          shipping={shipping}
          names={names}
          onUndo={flow.undo}
        />
        <RecentShipments shipped={inStrip(state, shipped)} outbox={outbox} names={names} onUndo={flow.undo} />
        <KeyHints />
      </div>
      <ShipQueue toShip={toShip} current={current?.id} onPick={flow.pick} />
    </div>
  )
}

/** Without the one whose strip says the same. */
function inStrip({ result, step }: FlowState, shipped: OutboxData["shipped"]): OutboxData["shipped"] {
  const [last] = shipped
  const shows = result?.type === "kept" && (step.at === "order" || step.at === "parcel")
  return shows && last?.key === result.key ? shipped.slice(1) : shipped
}

/** Sounds when a parcel comes to need somebody. */
function useQuestionsSound({ parcels }: OutboxData): void {
  const asking = parcels.filter(({ state }) => state === "asks").length
  const before = useRef(asking)
  useEffect(() => {
    if (asking > before.current) chime("refused")
    before.current = asking
  }, [asking])
}

/** How long a look-up may hold a parcel up, in ms: after that it counts as not looked up. */
const timeout = 4000

/** What of the page the flow reads while it runs. */
interface Around {
  readonly toShip: ToShip
  readonly remember: (number: string, carrier: Carrier) => void
}

/** The flow of the ship desk on this page. The open order and the outbox outlive the page. */
function useFlow(shipping: Shipping, toShip: ToShip): ShipFlow {
  const client = useQueryClient()
  const { mutate } = useChooseCarrier()
  const remember = (number: string, carrier: Carrier) => mutate({ number, carrier: carrier.code })
  const [around] = useState(() => externalValue<Around>({ toShip, remember }))
  useEffect(() => {
    around.set({ toShip, remember })
  })
  const [flow] = useState(() => createShipFlow(portsOf(client, shipping, around.get)))
  useEffect(() => {
    const page = new AbortController()
    const { signal } = page
    window.addEventListener("pageshow", ({ persisted }) => persisted && flow.enter(true), { signal })
    window.addEventListener("pagehide", flow.leave, { signal })
    flow.enter(false)
    return () => {
      page.abort()
      flow.leave()
    }
  }, [flow])
  return flow
}

function portsOf(client: QueryClient, shipping: Shipping, around: () => Around): FlowPorts {
  return {
    outbox: shipping.outbox,
    loaded: () => knownOrders(around().toShip.rows, around().toShip.types),
    carriers: () =>
      (client.getQueryData(carriersQuery.queryKey)?.carriers ?? []).filter(({ offered }) => offered),
    isOffline: () => shipping.connection.lostAt.get() !== null,
    find: async (id) => {
      const query = orderQuery(id, { fresh: true })
      try {
        const { data } = await client.fetchQuery({ ...query, staleTime: 0, retry: false })
        return knownOrder(data, around().toShip.types)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    },
    recognise: async (number) => {
      const read = client.fetchQuery({ ...recogniseQuery([number]), retry: false })
      return (await inTime(read, shipping))[0]
    },
    used: (number, except) => inTime(shipping.calls.used(number, except), shipping),
    remember: (number, carrier) => around().remember(number, carrier),
    chime,
    held: {
      read: () => readHeldOrder(shipping.outbox.userId),
      keep: (held) => keepHeldOrder(shipping.outbox.userId, held),
    },
    newKey,
    now: Date.now,
  }
}

/** Waits a moment for an answer; none counts as a lost connection. */
async function inTime<T>(answer: Promise<T>, { connection }: Shipping): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("No response in time.")), timeout)
  })
  try {
    return await Promise.race([answer, late])
  } catch (error) {
    if (!(error instanceof ApiError)) connection.lost()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The pick list of what is to ship, sound, and the whole screen for a packing bench. */
function ShipActions({ rows }: { rows: readonly OrderRow[] }) {
  const on = useExternalValue(sound) === "on"
  const Volume = on ? IconVolume : IconVolumeOff
  return (
    <>
      {rows.length > 0 && (
        <Button
          aria-label="Pick list"
          renderRoot={(props) => (
            <Link {...props} to="/orders/print" search={{ ids: idsOf(rows), what: "pick" }} />
          )}
        >
          <IconPrinter size={16} stroke={1.75} aria-hidden />
          <span className={classes.words}>Pick list</span>
        </Button>
      )}
      <Button aria-pressed={on} aria-label="Sound" onClick={switchSound}>
        <Volume size={16} stroke={1.75} aria-hidden />
        <span className={classes.words}>Sound</span>
      </Button>
      <Button aria-label="Full screen" onClick={() => void fillScreen()}>
        <IconMaximize size={16} stroke={1.75} aria-hidden />
        <span className={classes.words}>Full screen</span>
      </Button>
    </>
  )
}

/** As many as are printed at once, the oldest first. */
function idsOf(rows: readonly OrderRow[]): string {
  return rows
    .slice(0, limits.ordersAtOnce)
    .map(({ order }) => order.order_id)
    .join(",")
}

async function fillScreen(): Promise<void> {
  // Some tablets know no full screen: the page is then as it was.
  await (
    document.fullscreenElement === null
      ? document.documentElement.requestFullscreen()
      : document.exitFullscreen()
  ).catch(() => {})
}

const names = ["Order", "Parcel", "Saved"] as const

/** Where the parcel in hand stands: order, parcel, saved. */
function ShipSteps({ step }: { step: Step }) {
  const now = step.at === "order" || step.at === "order-question" ? 0 : 1
  return (
    <ol className={classes.steps} aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          className={classes.step}
          data-state={index < now ? "done" : index === now ? "now" : "next"}
          aria-current={index === now ? "step" : undefined}
        >
          {index < now ? (
            <IconCircleCheckFilled size={20} aria-label="Done:" />
          ) : (
            <span className={classes.number}>{index + 1}</span>
          )}
          {name}
        </li>
      ))}
    </ol>
  )
}

const hints = [
  { key: "Esc", does: "put this order back" },
  { key: "F2", does: "enter manually" },
  { key: "U", does: "undo the last one" },
  { key: "S", does: "next in the queue" },
] as const

/** The keys of the ship desk. */
function KeyHints() {
  return (
    <p className={classes.keys}>
      {hints.map(({ key, does }) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}

/** That the desk's server cannot be reached, since when, and that one can go on. */
function OfflineNotice({ since, waiting }: { since: number; waiting: number }) {
  return (
    <output className={classes.offline}>
      <IconCloudOff size={16} stroke={1.75} aria-hidden className={classes.offlineIcon} />
      <span className={classes.offlineWords}>
        <span className="l-medium">
          Offline since {timeOfDay(since)}. {waitingWords(waiting)}
        </span>
        <span className="text-secondary">
          Keep scanning. Parcels are sent in this order when you’re back online. Until then, duplicate numbers
          are checked only on this device.
        </span>
      </span>
    </output>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "The outbox is empty."
  return waiting === 1 ? "1 parcel in the outbox." : `${waiting} parcels in the outbox.`
}

/** Why nothing is sent at the moment, when that is so. */
function SenderNote({ state, waiting }: { state: SenderState; waiting: number }) {
  if (waiting === 0) return null
  switch (state.type) {
    case "waits":
      return <Wait until={state.until} />
    case "stopped":
      return (
        <Notice
          tone="warning"
          title="The outbox is paused"
          action={<JobLink id={state.job}>Look at {state.job}</JobLink>}
        >
          {state.message} Nothing more is sent until that job goes on. You can keep scanning.
        </Notice>
      )
    case "signed-out":
      return (
        <Notice tone="info" title="You’re signed out">
          Scanned parcels stay in the outbox and are sent when you sign in again.
        </Notice>
      )
    default:
      return null
  }
}

function Wait({ until }: { until: number }) {
  const left = until - useNow("second")
  return (
    <Notice tone="info" title="Laurel’s server asked to wait">
      {left > 0
        ? `The outbox continues in ${duration(Math.ceil(left / 1000) * 1000)}.`
        : "The outbox continues in a moment."}{" "}
      You can keep scanning.
    </Notice>
  )
}
