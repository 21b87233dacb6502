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
import { Outlet } from "@tanstack/react-router"
import { type ComponentProps, useEffect, useRef, useState } from "react"
import type { Carrier } from "../../../../contract/orders.ts"
import { limits } from "../../../../contract/limits.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier } from "../../../api/carriers.ts"
import { orderQuery } from "../../../api/orders.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { ApiError } from "../../../lib/errors.ts"
import { externalValue } from "../../../lib/external-value.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { newKey } from "../../../lib/new-key.ts"
import { duration, isSameDay, millis, timeOfDay } from "../../../lib/time.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import { useExternalValue, useNow } from "../../../ui/hooks.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { OrderRow } from "../order-row.tsx"
import { CurrentOrder } from "./current-order.tsx"
import { currentOrder, type FlowPorts, keepHeldOrder, readHeldOrder, type Step } from "./flow-state.ts"
import { createShipFlow, type ShipFlow } from "./flow.ts"
import { isQuestion, QuestionStrip, ResultStrip, Spoken } from "./messages.tsx"
import type { OutboxData } from "./outbox.ts"
import { ScanField } from "./scan-field.tsx"
import { knownOrder, ShipQueue, type ToShip, useOrderNames, useToShip } from "./ship-queue.tsx"
import { type Bench, OutboxList, RecentShipments } from "./shipments.tsx"
import { type Shipping, useShipping } from "./shipping.ts"
import { chime, sound, switchSound } from "./sound.ts"
import classes from "./ship.module.css"

/** Fulfilment by scanner: the order, the parcel, next. */
export function ShipPage() {
  const { user } = useSession()
  if (useCan("orders.update")) return <Opening userId={user.id} />
  return (
    <InsteadOfDesk tone="info" title="Your role can’t ship orders">
      Fulfilment, managers and administrators do. Nothing was loaded.
    </InsteadOfDesk>
  )
}

function Opening({ userId }: { userId: string }) {
  const { shipping, error } = useShipping(userId)
  if (shipping !== undefined) return <ShipDesk key={userId} shipping={shipping} />
  if (error === undefined) {
    return (
      <>
        <PageHeader title="Ship desk" />
        <SkeletonRows rows={6} columns={[40, 240]} />
      </>
    )
  }
  return (
    <InsteadOfDesk tone="danger" title="The outbox in this browser can’t be read">
      Earlier scans may not have been sent. Nothing was changed. Tell an administrator, and ship from another
      browser in the meantime.
    </InsteadOfDesk>
  )
}

function InsteadOfDesk(notice: ComponentProps<typeof Notice>) {
  return (
    <>
      <PageHeader title="Ship desk" />
      <div className={classes.note}>
        <Notice {...notice} />
      </div>
    </>
  )
}

/** The desk: the field, the open order, what came of the last scan, and what waits. */
function ShipDesk({ shipping }: { shipping: Shipping }) {
  // Known before the first number: offline nobody could name a carrier otherwise.
  useQuery(carriersQuery)
  const outbox = useExternalValue(shipping.outbox.data)
  const toShip = useToShip(outbox)
  const flow = useFlow(shipping, toShip)
  const state = useExternalValue(flow.state)
  const lostAt = useExternalValue(shipping.connection.lostAt)
  const names = useOrderNames(toShip.loaded)
  const { step, result } = state
  const current = currentOrder(step)
  const row = toShip.loaded.find(({ order }) => order.order_id === current?.id)
  const bench: Bench = { shipping, flow, outbox, offline: lostAt !== null, names }
  const waiting = outbox.parcels.length
  useQuestionsSound(outbox.parcels.filter((parcel) => parcel.state === "asks").length)
  return (
    <div className={classes.page}>
      <PageHeader
        title="Ship desk"
        sum={`${formatCount(shippedToday(outbox))} shipped here today`}
        actions={<ShipActions rows={toShip.rows} />}
      />
      <div className={classes.desk}>
        <div className={classes.bench}>
          <ShipSteps step={step} />
          <ScanField flow={flow} state={state} />
          <Spoken state={state} />
          {current !== undefined && <CurrentOrder known={current} row={row} />}
          {isQuestion(step) ? (
            <QuestionStrip step={step} flow={flow} />
          ) : (
            result !== null && <ResultStrip result={result} bench={bench} />
          )}
          {lostAt === null ? (
            waiting > 0 && <SenderNote shipping={shipping} />
          ) : (
            <OfflineNotice since={lostAt} waiting={waiting} />
          )}
          {!shipping.outbox.durable && (
            <Notice tone="warning" title="This browser doesn’t save anything">
              Parcels in the outbox are lost if you close this page. Stay until it’s empty, or use a normal
              window.
            </Notice>
          )}
          <OutboxList bench={bench} />
          <RecentShipments
            bench={bench}
            except={result?.type === "kept" && !isQuestion(step) ? result.key : undefined}
          />
          <KeyHints />
        </div>
        <ShipQueue toShip={toShip} current={current?.id} onPick={flow.pick} />
      </div>
      <Outlet />
    </div>
  )
}

function shippedToday({ shipped }: OutboxData): number {
  const now = Date.now()
  return shipped.filter(({ at }) => isSameDay(millis(at), now)).length
}

/** Sounds when a parcel comes to need somebody. */
function useQuestionsSound(asking: number): void {
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
    loaded: () => around().toShip.rows.map(({ order }) => knownOrder(order, around().toShip.types)),
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

/** Waits a moment for a response; none counts as a lost connection. */
async function inTime<T>(response: Promise<T>, { connection }: Shipping): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error("No response in time.")), timeout)
  try {
    return await Promise.race([response, late.promise])
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
  // As many as are printed at once, the oldest first.
  const ids = rows.slice(0, limits.ordersAtOnce).map(({ order }) => order.order_id)
  return (
    <>
      {rows.length > 0 && (
        <LinkButton aria-label="Pick list" to="/orders/print" search={{ ids: ids.join(","), what: "pick" }}>
          <IconPrinter size={16} stroke={1.75} aria-hidden />
          <span className={classes.words}>Pick list</span>
        </LinkButton>
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

async function fillScreen(): Promise<void> {
  const { fullscreenElement, documentElement } = document
  // Some tablets know no full screen: the page is then as it was.
  await (fullscreenElement === null ? documentElement.requestFullscreen() : document.exitFullscreen()).catch(
    () => {},
  )
}

/** Where the open parcel stands: order, parcel, saved. */
function ShipSteps({ step }: { step: Step }) {
  const now = step.at === "order" || step.at === "order-question" ? 0 : 1
  return (
    <ol className={classes.steps} aria-label="Steps">
      {["Order", "Parcel", "Saved"].map((name, index) => (
        <li key={name} data-done={index < now || undefined} aria-current={index === now ? "step" : undefined}>
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

const keys = {
  Esc: "put this order back",
  F2: "enter manually",
  U: "undo the last one",
  S: "next in the queue",
}

function KeyHints() {
  return (
    <p className={`caption ${classes.keys}`}>
      {Object.entries(keys).map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}

/** That Laurel's server cannot be reached, since when, and that one can go on. */
function OfflineNotice({ since, waiting }: { since: number; waiting: number }) {
  return (
    <output className={classes.offline} data-tone="warning">
      <IconCloudOff size={16} stroke={1.75} aria-hidden className="tone-mark" />
      <div>
        <div className="l-medium">
          Offline since {timeOfDay(since)}.{" "}
          {waiting === 0 ? "The outbox is empty." : `${counted(waiting, "parcel")} in the outbox.`}
        </div>
        <div className="text-secondary">
          Keep scanning. Parcels are sent in this order when you’re back online. Until then, duplicate numbers
          are checked only on this device.
        </div>
      </div>
    </output>
  )
}

/** Why nothing is sent at the moment, when that is so. */
function SenderNote({ shipping }: { shipping: Shipping }) {
  const state = useExternalValue(shipping.senderState)
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
      The outbox continues in {left > 0 ? duration(Math.ceil(left / 1000) * 1000) : "a moment"}. You can keep
      scanning.
    </Notice>
  )
}
