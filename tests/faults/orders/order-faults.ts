import type { FaultInput } from "../../../sandbox/faults.ts"
import { faultMix } from "../fault-mix.ts"

/** Faults that only apply to points. */
const forPointsOnly: ReadonlySet<string> = new Set(["partial-bulk", "lagging-history"])

/** The faults of a mix, applied to other requests. */
function retarget(
  mix: readonly FaultInput[],
  from: "GET" | "POST",
  match: FaultInput["match"],
): FaultInput[] {
  return mix
    .filter(
      (rule) => rule.match?.method === from && (match?.method === "GET" || !forPointsOnly.has(rule.kind)),
    )
    .map((rule) => ({ ...rule, match: { ...rule.match, ...match } }))
}

/** Rules under which `share` of all order updates and order reads meet a fault. */
export function orderFaults(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  const mix = faultMix(share, times)
  return [
    ...retarget(mix, "POST", { method: "PATCH", path: "/v1/orders/*" }),
    ...retarget(mix, "GET", { method: "GET", path: "/v1/orders/*" }),
  ]
}

/** Rules under which `share` of all redemptions and their lookups meet a fault. */
export function redeemFaults(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  const mix = faultMix(share, times)
  const lags = mix.filter(({ kind, match }) => kind === "lagging-history" && match?.method === "POST")
  return [
    ...retarget(mix, "POST", { method: "POST", path: "/v1/rewards/redeem" }),
    ...lags.map((rule) => ({ ...rule, match: { ...rule.match, path: "/v1/rewards/redeem" } })),
    ...mix.filter(({ match }) => match?.method === "GET"),
    ...retarget(mix, "GET", { method: "GET", path: "/v1/orders" }),
  ]
}
