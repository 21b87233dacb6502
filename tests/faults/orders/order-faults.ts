import type { FaultInput } from "../../../sandbox/faults.ts"
import { faultMix } from "../fault-mix.ts"

/** What can only happen to points. */
const forPointsOnly: ReadonlySet<string> = new Set(["partial-bulk", "lagging-history"])

/** The faults of a mix, as they strike requests of another kind. */
function moved(mix: readonly FaultInput[], from: "GET" | "POST", match: FaultInput["match"]): FaultInput[] {
  return mix
    .filter(
      (rule) => rule.match?.method === from && (match?.method === "GET" || !forPointsOnly.has(rule.kind)),
    )
    .map((rule) => ({ ...rule, match: { ...rule.match, ...match } }))
}

/** Makes `share` of all changes of orders, and of all reads of one, go wrong in every way there is. */
export function orderFaults(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  const mix = faultMix(share, times)
  return [
    ...moved(mix, "POST", { method: "PATCH", path: "/v1/orders/*" }),
    ...moved(mix, "GET", { method: "GET", path: "/v1/orders/*" }),
  ]
}

/** Makes `share` of all redemptions, and of what is read around them, go wrong in every way there is. */
export function redeemFaults(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  const mix = faultMix(share, times)
  const lags = mix.filter(({ kind, match }) => kind === "lagging-history" && match?.method === "POST")
  return [
    ...moved(mix, "POST", { method: "POST", path: "/v1/rewards/redeem" }),
    ...lags.map((rule) => ({ ...rule, match: { ...rule.match, path: "/v1/rewards/redeem" } })),
    ...mix.filter(({ match }) => match?.method === "GET"),
    ...moved(mix, "GET", { method: "GET", path: "/v1/orders" }),
  ]
}
