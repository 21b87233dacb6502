import { Button } from "@mantine/core"
import { IconListCheck } from "@tabler/icons-react"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import { limits } from "../../../../contract/limits.ts"
import { useCan } from "../../../api/session.ts"
import { EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { useExternalValue } from "../../../ui/hooks.ts"
import { paperSize, setPaperSize, type PaperSize } from "./paper-size.ts"
import { PrintNotes } from "./print-notes.tsx"
import classes from "./print-page.module.css"
import { idsOf, type Printout } from "./print-search.ts"
import { useParcels } from "./use-parcels.ts"

const route = getRouteApi("/_desk/orders_/print")
const Papers = lazy(async () => ({ default: (await import("./papers.tsx")).Papers }))

const path = [{ label: "Orders", to: "/orders" }]
const titles: Readonly<Record<Printout, string>> = { slips: "Packing slips", pick: "Pick list" }

/** Packing slips or a pick list for orders, as they will look on paper. */
export function PrintPage() {
  const { ids, what } = route.useSearch()
  const named = useMemo(() => idsOf(ids), [ids])
  if (!useCan("orders.update")) {
    return (
      <>
        <PageHeader title={titles[what]} path={path} />
        <Notice tone="info" title="Printing slips requires the Fulfilment role">
          You can view orders but not ship them. Ask an administrator to change your role.
        </Notice>
      </>
    )
  }
  if (named.length > 0) return <PrintOrders named={named} what={what} />
  return (
    <>
      <PageHeader title={titles[what]} path={path} />
      <EmptyState
        icon={IconListCheck}
        title="No orders selected"
        help="Select orders in the list, then print their slips or a pick list."
        actions={
          <Link to="/orders" className="l-link">
            Open the orders
          </Link>
        }
      />
    </>
  )
}

function PrintOrders({ named, what }: { named: readonly string[]; what: Printout }) {
  const navigate = route.useNavigate()
  const size = useExternalValue(paperSize)
  const ids = useMemo(() => named.slice(0, limits.ordersAtOnce), [named])
  const read = useParcels(ids)
  const { parcels, ready } = read
  return (
    <div className={classes.page}>
      <PageHeader
        title={titles[what]}
        path={path}
        sum={parcels.length === 1 ? "1 order" : `${parcels.length} orders`}
        actions={
          <Button
            variant="filled"
            disabled={!ready || parcels.length === 0}
            // oxlint-disable-next-line no-alert -- it opens the printer's dialog, not a message
            onClick={() => window.print()}
          >
            Print
          </Button>
        }
      />
      <div className={classes.choices}>
        <Segmented<Printout>
          label="Print"
          value={what}
          options={[
            { value: "slips", label: "Packing slips" },
            { value: "pick", label: "Pick list" },
          ]}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, what: chosen }), replace: true })}
        />
        <Segmented<PaperSize>
          label="Paper"
          value={size}
          options={[
            { value: "a4", label: "A4" },
            { value: "letter", label: "Letter" },
          ]}
          onChange={setPaperSize}
        />
      </div>
      <PrintNotes read={read} beyond={named.length - ids.length} />
      <div className={classes.desk}>
        {parcels.length === 0 ? (
          read.orders.reading && <SkeletonRows rows={8} />
        ) : (
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <Papers what={what} size={size} parcels={parcels} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
