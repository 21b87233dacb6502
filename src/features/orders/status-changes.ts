import { useQuery } from "@tanstack/react-query"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import type { AuditEntry } from "../../../contract/audit.ts"
import { auditQuery } from "../../api/audit.ts"
import type { RowParts } from "../../api/paging.ts"
import { useSession } from "../../api/session.ts"
import { statusText } from "../../ui/status.tsx"

/**
 * Pages of 50 audit entries that are searched: the newest changes of single orders made here, no upstream request.
 */
const auditParts = 4

type ObservedChanges = ReadonlyMap<string, boolean>

/**
 * Notes status changes that are untested or were refused, for roles that see all entries (docs/api/program.md,
 * States).
 */
export function useStatusChangeNote(): (
  from: readonly (string | null | undefined)[],
  to: string,
) => string | undefined {
  const grant = useSession().permissions["audit.read"]
  const { data: observed } = useQuery({
    ...auditQuery({ action: "order.update" }, auditParts),
    // The note needs no newer data: audit events do not refetch it.
    queryKey: ["order-changes"],
    staleTime: 5 * 60_000,
    select: observedChanges,
    enabled: grant === "yes" || grant === "program",
  })
  return (from, to) => (observed === undefined ? undefined : noteOf(new Set(from), to, observed))
}

/** What cancelling orders does not do, shown before it is confirmed. */
export function cancelNotes(orders: readonly Order[]): readonly string[] {
  const one = orders.length === 1
  const shipped = orders.filter(
    (order) =>
      shipmentOf(order).tracking_number !== undefined || /^(shipped|completed)$/i.test(order.status ?? ""),
  )
  const [parcel] = shipped
  const { tracking_number: number, carrier } = parcel === undefined ? {} : shipmentOf(parcel)
  const named = [number, carrier].filter(Boolean).join(", ")
  return [
    `Laurel only sets the status. Whether points and stock are returned is up to the service; its document doesn’t say. Check the ${one ? "member’s ledger" : "members’ ledgers"} and the stock afterwards.`,
    ...(parcel === undefined
      ? []
      : [
          one
            ? `A parcel may be on its way${named === "" ? "" : ` (${named})`}. Cancelling doesn’t stop it.`
            : `${shipped.length} of them may have a parcel on its way. Cancelling doesn’t stop it.`,
        ]),
  ]
}

function observedChanges({ rows }: RowParts<AuditEntry>): ObservedChanges {
  const observed = new Map<string, boolean>()
  for (const { changes, outcome } of rows) {
    const { from, to } = changes.find(({ field }) => field === "status") ?? {}
    if (!from || !to || from === to || (outcome !== "done" && outcome !== "refused")) continue
    const key = keyOf(from, to)
    observed.set(key, outcome === "done" || observed.get(key) === true)
  }
  return observed
}

const keyOf = (from: string, to: string) => `${from}>${to}`.toLowerCase()

function noteOf(from: ReadonlySet<string | null | undefined>, to: string, observed: ObservedChanges) {
  const changes = [...from].filter((status) => !!status && status.toLowerCase() !== to.toLowerCase())
  const those = (taken: boolean | undefined) =>
    changes
      .filter((status) => observed.get(keyOf(status ?? "", to)) === taken)
      .map((status) => `${statusText("order", status ?? "").word} → ${statusText("order", to).word}`)
      .join(", ")
  const [untried, refused] = [those(undefined), those(false)]
  const sentences = [
    untried && `First time ${untried} is tried here; the service may refuse it.`,
    refused && `The service refused ${refused} before; it may refuse again.`,
  ]
  return sentences.filter(Boolean).join(" ") || undefined
}
