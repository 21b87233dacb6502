import { createStore, useStore } from "zustand"
import { Box, Group, Stack } from "@mantine/core"
import {
  type Icon,
  IconCircleCheckFilled,
  IconMaximize,
  IconPrinter,
  IconTruckDelivery,
  IconVolume,
  IconVolumeOff,
} from "@tabler/icons-react"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { type Order, shipmentOf } from "../../../../contract/program/order.ts"
import { carriersQuery, recogniseQuery, useChooseCarrier } from "../../../api/carriers.ts"
import { orderClaimsQuery, orderQuery, shippedTodayQuery, toShipRead } from "../../../api/orders.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { ApiError } from "../../../lib/errors.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { newKey } from "../../../lib/new-key.ts"
import { duration, isSameDay, timeOfDay } from "../../../lib/time.ts"
import { useNow } from "../../../ui/hooks.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Denied } from "../../../lists/require-permission.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { OrderRow } from "../order-row.tsx"
import {
  CurrentOrder,
  knownOrder,
  ShipQueue,
  type ToShip,
  useOrderNames,
  usePacking,
  useToShip,
} from "./ship-orders.tsx"
import { createDesk, type DeskPorts, inTime, type ShipDesk } from "./desk.ts"
import { currentOrder, type KnownOrder, type Step } from "./desk-state.ts"
import { isQuestion, QuestionStrip, ResultStrip, Spoken } from "./messages.tsx"
import type { OutboxData } from "./outbox.ts"
import { ScanField } from "./scan-field.tsx"
import { type Bench, OutboxList, RecentShipments } from "./shipments.tsx"
import { type Shipping, useShipping } from "./shipping.ts"
import { chime, useShipSound, switchSound } from "./sound.ts"
import classes from "./ship.module.css"
import { Button, LinkButton } from "../../../ui/button.tsx"

/** Fulfilment by scanner: the order, the parcel, next. */
export function ShipPage() {
  const { user } = useSession()
  if (useCan("orders.update")) return <Opening userId={user.id} />
  return (
    <>
      <PageHeader title="Ship desk" />
      <Denied title="Your role can’t ship orders">Fulfilment, managers and administrators can.</Denied>
    </>
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
    <>
      <PageHeader title="Ship desk" />
      <Box px="gutter" py={12}>
        <Notice tone="danger" title="The outbox in this browser can’t be read">
          Earlier scans may not have been sent. Nothing was changed. Tell an administrator, and ship from
          another browser in the meantime.
        </Notice>
      </Box>
    </>
  )
}

function ShipDesk({ shipping }: { shipping: Shipping }) {
  // Loaded before the first number, to name its carrier.
  useQuery(carriersQuery)
  const outbox = useStore(shipping.outbox.data)
  const toShip = useToShip(outbox)
  const desk = useDesk(shipping, toShip)
  const state = useStore(desk.state)
  const offline = useStore(shipping.connection.lostAt) !== null
  const names = useOrderNames(toShip.loaded, outbox)
  const team = useQuery(shippedTodayQuery).data?.orders.length ?? 0
  const own = shippedToday(outbox)
  const { step, result } = state
  const current = currentOrder(step)
  const packing = usePacking(current?.id, outbox, shipping.outbox.userId)
  const elsewhere = packing.get(current?.id ?? "")
  const row = toShip.loaded.find(({ order }) => order.order_id === current?.id)
  useChangedMeanwhile(desk, current, row?.order)
  const bench: Bench = { shipping, desk, outbox, offline, names }
  useQuestionsSound(outbox.parcels.filter((parcel) => parcel.state === "asks").length)
  return (
    <Stack gap={0} className={classes.page}>
      <PageHeader
        title="Ship desk"
        sum={`${formatCount(own)} shipped here today${team > own ? `, ${formatCount(team)} by the team` : ""}`}
        actions={
          <ShipActions rows={toShip.progress === undefined ? toShip.rows : noRows} shipped={team > 0} />
        }
      />
      <div className={`line-above ${classes.desk}`}>
        <Stack className={classes.bench}>
          <ShipSteps step={step} />
          <ScanField desk={desk} state={state} />
          <Spoken state={state} bench={bench} />
          {isQuestion(step) && <QuestionStrip step={step} desk={desk} />}
          {elsewhere !== undefined && (
            <Notice tone="warning" title={elsewhere}>
              Check with them before you go on, so it isn’t packed twice.
            </Notice>
          )}
          {current !== undefined && (
            <CurrentOrder known={current} row={row} isUnread={state.unread.includes(current.id)} />
          )}
          {!isQuestion(step) && result !== null && (
            <ResultStrip result={result} bench={bench} unread={state.unread} />
          )}
          <SenderNote shipping={shipping} waiting={outbox.parcels.length} />
          {!shipping.outbox.durable && (
            <Notice tone="warning" title="This browser doesn’t save anything">
              Parcels in the outbox are lost if you close this page. Stay until it’s empty, or use a normal
              window.
            </Notice>
          )}
          <OutboxList bench={bench} />
          <RecentShipments
            bench={bench}
            except={result?.type === "saved" && !isQuestion(step) ? result.key : undefined}
          />
          <Group component="p" gap="4px 16px" mt="auto" className="caption touch-hidden">
            {keys.map(([key, does]) => (
              <span key={key}>
                <kbd>{key}</kbd> {does}
              </span>
            ))}
          </Group>
        </Stack>
        <ShipQueue
          toShip={toShip}
          current={current?.id}
          packing={packing}
          onPick={(id) => desk.dispatch({ type: "pick", id })}
        />
      </div>
      <Outlet />
    </Stack>
  )
}

/** While the queue is being read the oldest may be missing. */
const noRows: readonly OrderRow[] = []

const keys = [
  ["Esc", "put this order back"],
  ["F2", "enter manually"],
  ["U", "undo the last one"],
  ["S", "next in the queue"],
] as const

/**
 * Passes changes by others of the open order to the desk. The queue loses a shipped order, so it is cached as an
 * order page would.
 */
function useChangedMeanwhile(desk: ShipDesk, open: KnownOrder | undefined, listed: Order | undefined): void {
  const client = useQueryClient()
  const query = orderQuery(open?.id ?? "")
  const { data } = useQuery({ ...query, enabled: false })
  const last = useRef<{ readonly id: string; readonly order: Order; readonly readAt: number }>(undefined)
  useEffect(() => {
    if (listed === undefined || data !== undefined) return
    client.setQueryData(query.queryKey, { data: listed, age: 0, at: 0, stale: true }, { updatedAt: 1 })
  })
  useEffect(() => {
    const before = last.current
    last.current = open && data && { id: open.id, order: data.data, readAt: data.at }
    if (before === undefined || open === undefined || data === undefined || before.id !== open.id) return
    const [was, is] = [shipmentOf(before.order), shipmentOf(data.data)]
    const status = data.data.status ?? ""
    if ((before.order.status ?? "") === status && was.tracking_number === is.tracking_number) return
    const { tracking_number = null, carrier = null } = is
    // An announced change happened now; one found by a read happened some time before.
    const announced = before.readAt === data.at
    const order = { ...open, status, tracking_number, carrier }
    desk.dispatch({ type: "changed", order, changedAt: announced ? Date.now() : undefined })
  }, [desk, open, data])
}

function shippedToday({ shipped }: OutboxData): number {
  return shipped.filter(({ at }) => isSameDay(at, Date.now())).length
}

function useQuestionsSound(asking: number): void {
  const before = useRef(asking)
  useEffect(() => {
    if (asking > before.current) chime("refused")
    before.current = asking
  }, [asking])
}

/** Timeout of a lookup, in ms; after that the connection counts as lost. */
const timeout = 4000

function useDesk(shipping: Shipping, toShip: ToShip): ShipDesk {
  const client = useQueryClient()
  const { mutate } = useChooseCarrier()
  const [latest] = useState(() => createStore(() => toShip))
  useEffect(() => latest.setState(toShip, true))
  const [desk] = useState(() =>
    createDesk({
      ...createPorts(client, shipping, latest.getState),
      remember: (number, { code: carrier }) => mutate({ number, carrier }),
    }),
  )
  useEffect(() => {
    const page = new AbortController()
    const { signal } = page
    const leave = () => desk.dispatch({ type: "leave" })
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && desk.dispatch({ type: "restored" })
    window.addEventListener("pageshow", onShow, { signal })
    window.addEventListener("pagehide", leave, { signal })
    return () => {
      page.abort()
      leave()
    }
  }, [desk])
  return desk
}

function createPorts(
  client: QueryClient,
  shipping: Shipping,
  toShip: () => ToShip,
): Omit<DeskPorts, "remember"> {
  const { outbox, connection, calls } = shipping
  return {
    outbox,
    queueRead: async () => (toShip().complete === true ? undefined : toShipRead()),
    loaded: () => toShip().rows.map(({ order }) => knownOrder(order, toShip().types)),
    carriers: () =>
      (client.getQueryData(carriersQuery.queryKey)?.carriers ?? []).filter(({ offered }) => offered),
    isPackedElsewhere: (id) =>
      (client.getQueryData(orderClaimsQuery.queryKey) ?? []).some(
        ({ order_id, by }) => order_id === id && by.id !== outbox.userId,
      ),
    isOffline: () => connection.lostAt.getState() !== null,
    find: async (id) => {
      try {
        // Its own query key: a read shared with the open order would be cancelled when its parcel is scanned.
        const query = { ...orderQuery(id, { fresh: true }), queryKey: ["read-again", id], staleTime: 0 }
        const response = await client.fetchQuery({ ...query, retry: false })
        client.setQueryData(orderQuery(id).queryKey, response)
        return knownOrder(response.data, toShip().types)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    },
    recognise: async (number) => {
      const read = client.fetchQuery({ ...recogniseQuery([number]), retry: false })
      return (await whileConnected(read, shipping))[0]
    },
    used: (number, except) => whileConnected(calls.used(number, except), shipping),
    chime,
    newKey,
    now: Date.now,
  }
}

/** Waits for a response; a timeout counts as a lost connection. */
async function whileConnected<T>(response: Promise<T>, { connection }: Shipping): Promise<T> {
  try {
    return await inTime(response, timeout)
  } catch (error) {
    if (!(error instanceof ApiError)) connection.lost()
    throw error
  }
}

function ShipActions({ rows, shipped }: { rows: readonly OrderRow[]; shipped: boolean }) {
  const on = useShipSound((state) => state.isOn)
  // Limited to what can be printed together, oldest first.
  const ids = rows.slice(0, limits.ordersAtOnce).map(({ order }) => order.order_id)
  return (
    <>
      {rows.length > 0 && (
        <LinkButton aria-label="Pick list" to="/orders/print" search={{ ids: ids.join(","), what: "pick" }}>
          {withIcon(IconPrinter, "Pick list")}
        </LinkButton>
      )}
      {shipped && (
        <LinkButton aria-label="End of day" to="/orders/print" search={{ what: "day" }}>
          {withIcon(IconTruckDelivery, "End of day")}
        </LinkButton>
      )}
      <Button aria-pressed={on} aria-label="Sound" onClick={switchSound}>
        {withIcon(on ? IconVolume : IconVolumeOff, "Sound")}
      </Button>
      <Button aria-label="Full screen" onClick={() => void fillScreen()}>
        {withIcon(IconMaximize, "Full screen")}
      </Button>
    </>
  )
}

function withIcon(ActionIcon: Icon, label: string) {
  return (
    <>
      <ActionIcon size={16} stroke={1.75} aria-hidden />
      <Box component="span" visibleFrom="sm">
        {label}
      </Box>
    </>
  )
}

async function fillScreen(): Promise<void> {
  const { fullscreenElement, documentElement } = document
  // Some tablets have no full screen mode: then the page stays as it is.
  await (fullscreenElement === null ? documentElement.requestFullscreen() : document.exitFullscreen()).catch(
    () => {},
  )
}

function ShipSteps({ step }: { step: Step }) {
  const now = step.at === "order" || step.at === "order-question" ? 0 : 1
  return (
    <Group
      component="ol"
      gap={8}
      fz="var(--l-fs-body)"
      lh="22px"
      className={classes.steps}
      aria-label="Steps"
    >
      {["Order", "Parcel", "Saved"].map((name, index) => (
        <Group
          key={name}
          component="li"
          wrap="nowrap"
          gap={8}
          className={index < now ? "l-medium tone-text" : "l-medium text-muted"}
          data-tone="success"
          aria-current={index === now ? "step" : undefined}
        >
          {index < now ? (
            <IconCircleCheckFilled size={20} aria-label="Done:" />
          ) : (
            <span className={`l-strong ${classes.number}`}>{index + 1}</span>
          )}
          {name}
        </Group>
      ))}
    </Group>
  )
}

function SenderNote({ shipping, waiting }: { shipping: Shipping; waiting: number }) {
  const state = useStore(shipping.senderState)
  const lostAt = useStore(shipping.connection.lostAt)
  const now = useNow("second")
  if (lostAt !== null) {
    const outbox = waiting === 0 ? "The outbox is empty." : `${counted(waiting, "parcel")} in the outbox.`
    return (
      <Notice
        tone="warning"
        title={`Offline since ${timeOfDay(lostAt)}. ${outbox}`}
        action={
          <Button size="xs" onClick={shipping.tryNow}>
            Try now
          </Button>
        }
      >
        Keep scanning. Parcels are sent in this order when you’re back online. Until then, duplicate numbers
        are checked only on this device.
      </Notice>
    )
  }
  if (waiting === 0 || state.type === "working") return null
  if (state.type === "waits") {
    const left = state.until - now
    return (
      <Notice tone="info" title="Laurel’s server asked to wait">
        The outbox continues in {left > 0 ? duration(Math.ceil(left / 1000) * 1000) : "a moment"}. You can
        keep scanning.
      </Notice>
    )
  }
  return state.type === "stopped" ? (
    <Notice
      tone="warning"
      title="The outbox is paused"
      action={<JobLink id={state.job}>Look at {state.job}</JobLink>}
    >
      {state.message} Nothing more is sent until that job goes on. You can keep scanning.
    </Notice>
  ) : (
    <Notice tone="info" title="You’re signed out">
      Scanned parcels stay in the outbox and are sent when you sign in again.
    </Notice>
  )
}
