import type { SandboxOptions, SandboxSettings } from "./config.ts"
import type { SandboxStore } from "./store/store.ts"

/** What every handler works on. `store` is another one after a reset. */
export interface World {
  readonly options: SandboxOptions
  readonly settings: SandboxSettings
  store: SandboxStore
  /** Does something at a time, immediately if it is past; `at` is when it was due. */
  later(at: number, work: (at: number) => void): void
}

/** One request as the handlers see it: the world, the time, and what a fault asks of it. */
export interface Call {
  readonly world: World
  readonly now: number
  /** The service's clock, ms: what its records are dated with. */
  readonly clock: number
  /** How long this request's ledger rows stay out of the history, ms. */
  readonly lagMs: number
  /** Rows younger than this are left out of a history read, ms. */
  readonly hideMs: number
  /** How many items of a bulk award are booked before the request breaks off. */
  readonly bulkStop: number
  /** The gift-card fund holds nothing for this request. */
  readonly noFund: boolean
}

/** The hono environment of both APIs. */
export interface CallEnv {
  Bindings: Call
}

/** A call at a time, without any fault. */
export function callAt(world: World, now: number): Call {
  const { clockOffsetMs, historyLagMs } = world.settings
  return {
    world,
    now,
    clock: now + clockOffsetMs,
    lagMs: historyLagMs,
    hideMs: 0,
    bulkStop: Infinity,
    noFund: false,
  }
}
