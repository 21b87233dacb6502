import type { FaultInput } from "../../sandbox/faults.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import type { Random } from "./random.ts"

type Trouble = Omit<FaultInput, "match">

/** Every issue fault of the sandbox. `callMs`: Laurel's call timeout. */
function issueTroubles(callMs: number): readonly Trouble[] {
  return [
    { kind: "drop-before" },
    { kind: "drop-after" },
    { kind: "before-commit-500", status: 500 },
    { kind: "before-commit-500", status: 503 },
    { kind: "after-commit-500", status: 500 },
    { kind: "after-commit-500", status: 502 },
    { kind: "after-commit-500", status: 504 },
    { kind: "after-commit-500", status: 408 },
    { kind: "hang", commit: true },
    { kind: "hang", commit: false },
    { kind: "slow", ms: Math.round(callMs / 3) },
    { kind: "slow", ms: Math.round(callMs * 1.5), commit: false },
    { kind: "drip", ms: Math.round(callMs / 3) },
    { kind: "late-commit", ms: 3 * callMs, answer: "drop" },
    { kind: "late-commit", ms: 3 * callMs, answer: "error" },
    { kind: "html" },
    { kind: "html", status: 502, commit: false },
    { kind: "truncated" },
    { kind: "empty" },
    { kind: "429" },
    { kind: "wrong-type" },
    { kind: "missing-field" },
    { kind: "null-field" },
  ]
}

/** Every lookup fault. */
const lookupTroubles: readonly Trouble[] = [
  { kind: "drop-before" },
  { kind: "before-commit-500" },
  { kind: "html" },
  { kind: "truncated" },
  { kind: "empty" },
  { kind: "429" },
]

/** Rules under which `share` of all issues and of all lookups meet one of these faults. */
export function giftcardFaults(share: number, callMs: number): FaultInput[] {
  return [...spread(issueTroubles(callMs), "POST", share), ...spread(lookupTroubles, "GET", share)]
}

/** A rule only sees requests that earlier rules let pass, so its own probability grows along the list. */
function spread(troubles: readonly Trouble[], method: string, share: number): FaultInput[] {
  const each = share / troubles.length
  return troubles.map((trouble, at) => ({
    ...trouble,
    match: { api: "giftcard", method, probability: each / (1 - at * each) },
  }))
}

/** Sometimes delays an issue past Laurel's call timeout, so that a retry meets the first request in progress. */
export function startSlowSpells(sandbox: Sandbox, callMs: number, random: Random): () => void {
  const timer = setInterval(() => {
    sandbox.settings.giftcardProcessingMs = random.next() < 0.2 ? callMs + 500 : 0
  }, 300)
  return () => {
    clearInterval(timer)
    sandbox.settings.giftcardProcessingMs = 0
  }
}
