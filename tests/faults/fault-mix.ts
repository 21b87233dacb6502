import type { FaultInput, FaultKind } from "../../sandbox/faults.ts"

/** A fault without its match. */
interface Trouble extends Omit<FaultInput, "match"> {
  readonly kind: FaultKind
}

/** Matches writes, and the histories that are read to look them up. */
const writes = { api: "program", method: "POST" } as const
const histories = { api: "program", method: "GET", path: "/v1/members/*/transactions" } as const

/**
 * Every write fault of the sandbox (docs/sandbox.md, Faults).
 * @param settleMs late commits and lags take up to twice this
 * @param callMs a slow response takes less than this, a stalled one more
 */
function writeTroubles(settleMs: number, callMs: number): readonly Trouble[] {
  const late = [0.25, 0.5, 0.75, 1, 1.5, 2].map((part): Trouble => ({
    kind: "late-commit",
    ms: Math.round(part * settleMs),
    answer: part < 1 ? "error" : "drop",
  }))
  const lags = [0.5, 1, 2].map((part): Trouble => ({
    kind: "lagging-history",
    ms: Math.round(part * settleMs),
  }))
  return [
    { kind: "drop-before" },
    { kind: "drop-after" },
    { kind: "before-commit-500", status: 500 },
    { kind: "before-commit-500", status: 502 },
    { kind: "before-commit-500", status: 504 },
    { kind: "after-commit-500", status: 500 },
    { kind: "after-commit-500", status: 502 },
    { kind: "after-commit-500", status: 504 },
    { kind: "partial-bulk", answer: "error" },
    { kind: "partial-bulk", answer: "ok" },
    { kind: "partial-bulk", answer: "drop" },
    { kind: "hang", commit: true },
    { kind: "hang", commit: false },
    { kind: "slow", ms: Math.round(callMs / 3) },
    { kind: "slow", ms: Math.round(callMs * 1.3), commit: false },
    { kind: "drip", ms: Math.round(callMs / 3) },
    { kind: "html" },
    { kind: "html", status: 502, commit: false },
    { kind: "truncated" },
    { kind: "empty" },
    { kind: "429" },
    { kind: "wrong-type" },
    { kind: "missing-field" },
    { kind: "null-field" },
    ...late,
    ...lags,
  ]
}

/** Every lookup fault. */
function lookupTroubles(settleMs: number, callMs: number): readonly Trouble[] {
  return [
    { kind: "drop-before" },
    { kind: "before-commit-500", status: 500 },
    { kind: "before-commit-500", status: 502 },
    { kind: "hang" },
    { kind: "slow", ms: Math.round(callMs / 3) },
    { kind: "html" },
    { kind: "truncated" },
    { kind: "empty" },
    { kind: "429" },
    { kind: "missing-field" },
    { kind: "wrong-type" },
    { kind: "lagging-history", ms: Math.round(settleMs / 2) },
    { kind: "lagging-history", ms: settleMs },
    { kind: "lagging-history", ms: 2 * settleMs },
  ]
}

/** Rules under which `share` of all writes and of all history reads meet one of these faults. */
export function faultMix(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  return [
    ...spread(writeTroubles(times.settleMs, times.callMs), writes, share),
    ...spread(lookupTroubles(times.settleMs, times.callMs), histories, share),
  ]
}

/** Faults that only apply to points. */
const forPointsOnly: ReadonlySet<string> = new Set(["partial-bulk", "lagging-history"])

/** Rules under which `share` of all issues of gift cards, and of their lookups, meet a fault. */
export function giftcardFaults(share: number, callMs: number): FaultInput[] {
  const others = (troubles: readonly Trouble[]) => troubles.filter(({ kind }) => !forPointsOnly.has(kind))
  const issues: readonly Trouble[] = [
    ...others(writeTroubles(2 * callMs, callMs)),
    { kind: "before-commit-500", status: 503 },
    { kind: "after-commit-500", status: 408 },
  ]
  return [
    ...spread(issues, { api: "giftcard", method: "POST" }, share),
    ...spread(others(lookupTroubles(2 * callMs, callMs)), { api: "giftcard", method: "GET" }, share),
  ]
}

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

/** Rules under which `share` of all changes of members, and of all reads of a member, meet a fault. */
export function memberFaults(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  const mix = faultMix(share, times)
  return [
    ...retarget(mix, "POST", { method: "PATCH", path: "/v1/members/*" }),
    ...retarget(mix, "GET", { method: "GET", path: "/v1/members/*" }),
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

/** A rule only sees requests that earlier rules let pass, so its own probability grows along the list. */
function spread(troubles: readonly Trouble[], where: FaultInput["match"], share: number): FaultInput[] {
  const each = share / troubles.length
  return troubles.map((trouble, at) => ({
    ...trouble,
    match: { ...where, probability: each / (1 - at * each) },
  }))
}
