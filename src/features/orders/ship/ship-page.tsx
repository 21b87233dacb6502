import { createStore, useStore } from "zustand"
import { Box, Group, Stack } from "@mantine/core"
import { useFullscreenDocument } from "@mantine/hooks"
import {
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
import {
  carriersQuery,
  orderClaimsQuery,
  orderQuery,
  ordersQuery,
  recogniseQuery,
  shippedTodayQuery,
  useChooseCarrier,
} from "../../../api/orders.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { JobLink } from "../../../ui/record-link.tsx"
import { ApiError } from "../../../lib/errors.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { newKey } from "../../../lib/new-key.ts"
import { isSameDay, timeOfDay } from "../../../lib/time.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Denied } from "../../../lists/require-permission.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { OrderRow } from "../order-row.tsx"
import {
  Claims,
  CurrentOrder,
  knownOrder,
  ShipQueue,
  type ToShip,
  useOpenOrder,
  useOrderNames,
  usePacking,
  useToShip,
} from "./ship-orders.tsx"
import { createDesk, type DeskPorts, type ShipDesk } from "./desk.ts"
import { currentOrder, type Step } from "./desk-state.ts"
import { isQuestion, QuestionStrip, ResultStrip } from "./messages.tsx"
import type { OutboxData } from "./outbox.ts"
import { ScanField } from "./scan-field.tsx"
import { type Bench, OutboxList, RecentShipments } from "./shipments.tsx"
import { type Shipping, useShipping } from "./shipping.ts"
import { chime, useShipSound, switchSound } from "./sound.ts"
import classes from "./ship.module.css"
import { buttonIcon, IconButton, LinkButton } from "../../../ui/button.tsx"

/** Fulfilment by scanner: the order, the parcel, next. */
export function ShipPage() {
  const { user } = useSession()
  const canShip = useCan("orders.update")
  return canShip ? (
    <Opening userId={user.id} />
  ) : (
    <>
      <PageHeader title="Ship desk" />
      <Denied title="Your role can’t ship orders">Fulfilment, managers and administrators can.</Denied>
    </>
  )
}

function Opening({ userId }: { userId: string }) {
  const { shipping, error } = useShipping(userId)
  if (shipping !== undefined) return <ShipDesk key={userId} shipping={shipping} />
  return (
    <>
      <PageHeader title="Ship desk" />
      {error === null ? (
        <SkeletonRows rows={6} columns={[40, 240]} />
      ) : (
        <Box px="gutter" py={12}>
          <Notice tone="danger" title="The outbox in this browser can’t be read">
            Earlier scans may not have been sent. Nothing was changed. Tell an administrator, and ship from
            another browser in the meantime.
          </Notice>
        </Box>
      )}
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
  const packing = usePacking(shipping.outbox.userId)
  const elsewhere = packing.get(current?.id ?? "")
  const read = useOpenOrder(desk, current, toShip)
  const bench: Bench = { shipping, desk, outbox, offline, names }
  useQuestionsSound(outbox.parcels.filter((parcel) => parcel.state === "asks").length)
  return (
    <Stack gap={0} className={classes.page}>
      <Claims ids={[current?.id ?? [], outbox.parcels.map(({ order_id: id }) => id)].flat()} />
      <PageHeader
        title="Ship desk"
        sum={`${formatCount(own)} shipped here today${team > own ? `, ${formatCount(team)} by the team` : ""}`}
        actions={<ShipActions rows={toShip.rows} shipped={team > 0} />}
      />
      <div className={`line-above ${classes.desk}`}>
        <Stack gap="lg" miw={0} px="gutter" py="md">
          <ShipSteps step={step} />
          <ScanField desk={desk} state={state} />
          <Stack gap="lg" aria-live={isQuestion(step) || result?.isRefusal === true ? "assertive" : "polite"}>
            <QuestionStrip state={state} desk={desk} />
            {elsewhere !== undefined && (
              <Notice tone="warning" title={elsewhere}>
                Check with them before you go on, so it isn’t packed twice.
              </Notice>
            )}
            {current !== undefined && <CurrentOrder key={current.id} known={current} read={read} />}
            {!isQuestion(step) && result !== null && (
              <ResultStrip key={state.turn} result={result} name={names.get(result.what)} />
            )}
          </Stack>
          <SenderNote shipping={shipping} waiting={outbox.parcels.length} />
          {!shipping.outbox.durable && (
            <Notice tone="warning" title="This browser doesn’t save anything">
              Parcels in the outbox are lost if you close this page. Stay until it’s empty, or use a normal
              window.
            </Notice>
          )}
          <OutboxList bench={bench} />
          <RecentShipments bench={bench} />
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

const keys = [
  ["Esc", "put this order back"],
  ["F2", "enter manually"],
  ["U", "undo the last one"],
  ["S", "next in the queue"],
] as const

function shippedToday({ shipped }: OutboxData): number {
  return shipped.filter(({ shipped_at: at }) => isSameDay(at, Date.now())).length
}

function useQuestionsSound(asking: number): void {
  const before = useRef(asking)
  useEffect(() => {
    if (asking > before.current) chime("refused")
    before.current = asking
  }, [asking])
}

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

/** Orders that are named when a name fits several. */
const mostNamed = 5

function createPorts(
  client: QueryClient,
  { outbox, connection, calls, senderState }: Shipping,
  toShip: () => ToShip,
): Omit<DeskPorts, "remember"> {
  return {
    outbox,
    pageData: () => ({
      loaded: toShip().rows.map(({ order }) => knownOrder(order, toShip().types)),
      isQueueLoading: !toShip().isLoaded,
      carriers: (client.getQueryData(carriersQuery.queryKey)?.carriers ?? []).filter(
        ({ offered }) => offered,
      ),
      isPackedElsewhere: (id) =>
        (client.getQueryData(orderClaimsQuery.queryKey) ?? []).some(
          ({ order_id, by }) => order_id === id && by.id !== outbox.userId,
        ),
      isOffline: connection.lostAt.getState() !== null,
    }),
    find: async (id) => {
      try {
        const query = { ...orderQuery(id, { fresh: true }), staleTime: 0, retry: false }
        return knownOrder((await client.fetchQuery(query)).data, toShip().types)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    },
    findByName: async (search) => {
      try {
        const query = ordersQuery({ search, status: "to-ship", per_page: mostNamed })
        return (await client.fetchQuery({ ...query, retry: false })).data.map(({ order_id }) => order_id)
      } catch (error) {
        // Not every order is synced yet.
        if (error instanceof ApiError && error.code === "conflict") return []
        throw error
      }
    },
    recognise: async (number) => (await client.fetchQuery({ ...recogniseQuery([number]), retry: false }))[0],
    used: (number, except) => calls.used(number, except),
    leaveOut: async ({ job, row = 1 }) =>
      job !== null &&
      senderState.getState().type === "stopped" &&
      calls.decide(job, row, { decision: "leave" }).then(
        () => true,
        // The job runs again, or an earlier attempt is not settled: the undo is sent after the parcel.
        () => false,
      ),
    chime,
    newKey,
    now: Date.now,
  }
}

function ShipActions({ rows, shipped }: { rows: readonly OrderRow[]; shipped: boolean }) {
  const on = useShipSound((state) => state.isOn)
  // Some tablets have no full screen mode: then the page stays as it is.
  const { toggle } = useFullscreenDocument()
  // Limited to what can be printed together, oldest first.
  const ids = rows.slice(0, limits.ordersAtOnce).map(({ order }) => order.order_id)
  return (
    <>
      {rows.length > 0 && (
        <LinkButton
          leftSection={<IconPrinter {...buttonIcon} />}
          to="/orders/print"
          search={{ ids: ids.join(","), what: "pick" }}
        >
          Pick list
        </LinkButton>
      )}
      {shipped && (
        <LinkButton
          leftSection={<IconTruckDelivery {...buttonIcon} />}
          to="/orders/print"
          search={{ what: "day" }}
        >
          End of day
        </LinkButton>
      )}
      <IconButton
        label="Sound"
        aria-pressed={on}
        icon={on ? <IconVolume {...buttonIcon} /> : <IconVolumeOff {...buttonIcon} />}
        onClick={switchSound}
      />
      <IconButton
        label="Full screen"
        icon={<IconMaximize {...buttonIcon} />}
        onClick={() => void toggle().catch(() => {})}
      />
    </>
  )
}

function ShipSteps({ step }: { step: Step }) {
  const now = step.at === "order" || step.at === "order-question" ? 0 : 1
  return (
    <Group component="ol" gap={20} lh="22px" aria-label="Steps">
      {["Order", "Parcel", "Saved"].map((name, index) => (
        <Group
          key={name}
          component="li"
          gap={6}
          className={index === now ? "l-strong" : "text-muted"}
          aria-current={index === now ? "step" : undefined}
        >
          {index < now ? (
            <IconCircleCheckFilled size={22} aria-label="Done:" />
          ) : (
            <Box
              component="span"
              display="grid"
              w={22}
              h={22}
              fz={12}
              bdrs="50%"
              bd="1px solid"
              style={{ placeItems: "center" }}
            >
              {index + 1}
            </Box>
          )}
          {name}
        </Group>
      ))}
    </Group>
  )
}

/** Why nothing is sent. */
function SenderNote({ shipping, waiting }: { shipping: Shipping; waiting: number }) {
  const state = useStore(shipping.senderState)
  const lostAt = useStore(shipping.connection.lostAt)
  if (lostAt !== null) {
    const outbox = waiting === 0 ? "The outbox is empty." : `${counted(waiting, "parcel")} in the outbox.`
    return (
      <Notice tone="warning" title={`Offline since ${timeOfDay(lostAt)}. ${outbox}`}>
        Keep scanning. Parcels are sent in this order when you’re back online. Until then, duplicate numbers
        are checked only on this device.
      </Notice>
    )
  }
  if (waiting === 0 || state.type === "working") return null
  if (state.type === "stopped") {
    return (
      <Notice
        tone="warning"
        title="The outbox is paused"
        action={<JobLink id={state.job}>Look at {state.job}</JobLink>}
      >
        {state.message} Nothing more is sent until that job goes on. You can keep scanning.
      </Notice>
    )
  }
  return state.type === "waits" ? (
    <Notice tone="info" title="Laurel’s server asked to wait">
      The outbox continues by itself. You can keep scanning.
    </Notice>
  ) : (
    <Notice tone="info" title="You’re signed out">
      Scanned parcels stay in the outbox and are sent when you sign in again.
    </Notice>
  )
}
