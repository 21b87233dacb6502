import { Outlet } from "@tanstack/react-router"
import { useCan, useSession } from "../../../api/session.ts"
import { formatCount } from "../../../lib/format.ts"
import { isSameDay, millis } from "../../../lib/time.ts"
import type { ShippedParcel } from "../ship/outbox/parcel.ts"
import type { Shipping } from "../ship/outbox/shipping.ts"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { ShipActions } from "./ship-actions.tsx"
import { ShipDesk } from "./ship-desk.tsx"
import classes from "./ship.module.css"
import { useShipping } from "./use-shipping.ts"
import { useToShip } from "./use-to-ship.ts"

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
