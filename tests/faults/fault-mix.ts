import type { FaultInput, FaultKind } from "../../sandbox/faults.ts"

/** What goes wrong with one kind of request; `share` is how often, from 0 to 1, all of a mix together. */
interface Trouble extends Omit<FaultInput, "match"> {
  readonly kind: FaultKind
}

/** Paths of writes, and of the histories that are read for them. */
const writes = { api: "program", method: "POST" } as const
const histories = { api: "program", method: "GET", path: "/v1/members/*/transactions" } as const

/**
 * Every way a write can go wrong that the sandbox knows (docs/sandbox.md, Faults).
 * @param settleMs late commits and lags reach up to twice this
 * @param callMs a slow answer stays below this, a stalled one comes after it
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

/** Every way a look can go wrong. */
function lookTroubles(settleMs: number, callMs: number): readonly Trouble[] {
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

/** The rules that make `share` of all writes, and of all reads of histories, go wrong in every way there is. */
export function faultMix(share: number, times: { settleMs: number; callMs: number }): FaultInput[] {
  return [
    ...spread(writeTroubles(times.settleMs, times.callMs), writes, share),
    ...spread(lookTroubles(times.settleMs, times.callMs), histories, share),
  ]
}

/** Each rule is only asked about what those before it let pass, so its own chance grows along the list. */
function spread(troubles: readonly Trouble[], where: FaultInput["match"], share: number): FaultInput[] {
  const each = share / troubles.length
  return troubles.map((trouble, at) => ({
    ...trouble,
    match: { ...where, probability: each / (1 - at * each) },
  }))
}
