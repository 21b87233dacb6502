import * as z from "zod/mini"

const count = (fallback: number) => z._default(z.int().check(z.minimum(0)), fallback)
const flag = (fallback: boolean) => z._default(z.boolean(), fallback)
const wait = z._default(z.nullable(z.int().check(z.minimum(0))), null)

/**
 * What the two documents leave open ("Not shown" in docs/api/program.md and docs/api/giftcard.md), and the
 * limits of a plan. docs/sandbox.md describes each. Times are in ms.
 */
export const sandboxSettings = z.strictObject({
  /** Program requests a minute for the key; 0 means no limit. */
  rateLimit: count(60),
  /** Gift-card requests a minute for the key; 0 means no limit. */
  giftcardRateLimit: count(60),
  /** The only keys that are accepted, by both services; null means those of the start. */
  keys: z._default(z.nullable(z.array(z.string())), null),
  /** How far the service's clock is ahead of ours. */
  clockOffsetMs: z._default(z.int(), 0),
  /** How long a ledger row stays out of the history after it was booked. */
  historyLagMs: count(0),

  absentFields: z._default(z.enum(["omit", "null", "empty"]), "omit"),
  insufficientPointsCode: z._default(z.string(), "invalid_request"),

  duplicateEmail: z._default(z.enum(["refuse", "allow"]), "refuse"),

  reasonMax: z._default(z.nullable(z.int().check(z.minimum(1))), 500),
  reasonTooLong: z._default(z.enum(["cut", "refuse"]), "refuse"),
  /** Awards of this many points or more wait for approval; null means none do. */
  awardsPendingFrom: wait,

  orderShape: z._default(z.enum(["documented", "flat", "nested", "both"]), "documented"),
  orderCode: z._default(z.enum(["kept", "once"]), "kept"),
  orderTransitions: z._default(z.enum(["free", "restricted"]), "free"),
  clearTracking: z._default(z.enum(["allow", "refuse", "ignore"]), "allow"),
  /** How many of a cancelled order's points come back. */
  cancelRefunds: z._default(z.enum(["never", "full", "half"]), "never"),
  /** How long after the cancellation. */
  cancelRefundMs: count(0),
  /** Whether the entry's reference is the order's id. */
  cancelRefundReference: flag(true),

  giftcardScopes: z._default(z.array(z.enum(["read", "write"])), ["read", "write"]),
  /** Template used when a request names none; null means the integration has no default card. */
  defaultCard: z._default(z.nullable(z.string()), "card_tradevisa"),
  giftcardErrorShape: z._default(
    z.enum(["object", "flat", "string", "none", "errorCode", "errors", "numeric"]),
    "object",
  ),
  giftcardInvalidCode: z._default(z.enum(["split", "INVALID_ARGUMENT", "VALIDATION_ERROR"]), "split"),
  expiredCardStatus: z._default(z.enum(["issued", "expired"]), "issued"),
  /** How long an idempotency key is remembered; null means without a limit. */
  keyRetentionMs: wait,
  /** How long an issue takes; a twin in that time meets IDEMPOTENCY_IN_PROGRESS. */
  giftcardProcessingMs: count(0),
})

/** The sandbox's current settings; assign to a field to change it. */
export type SandboxSettings = z.output<typeof sandboxSettings>

/** The key of both APIs unless another is given: readable on purpose, it opens nothing real. */
export const demoKey = "laurel-sandbox-key"

/** How a sandbox is made. Everything has a default. */
export interface SandboxOptions {
  /** Members in the seed. */
  readonly members: number
  /** The same seed, member count and seed time give the same program. */
  readonly seed: string | number
  /** Moment at which the seeded two years end, in ms; the time of creation by default. */
  readonly seededAt: number | undefined
  /** Clock, ms since 1970. */
  readonly now: () => number
  /** Waits some ms or until the request is given up; rejects with the signal's reason then. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly programKey: string
  readonly giftcardKey: string
  readonly giftcardScopes: readonly ("read" | "write")[]
  /** Program requests a minute; 0 or Infinity means no limit. */
  readonly rateLimit: number
  /** Gift-card requests a minute; 0 or Infinity means no limit. */
  readonly giftcardRateLimit: number
  /** Serves `/__sandbox/*`. Off unless asked for. */
  readonly control: boolean
  /** Settings that start other than at their default. */
  readonly settings: Partial<SandboxSettings>
  /** What the gift-card fund holds at first, in cents. */
  readonly fundCents: number
}

/** The defaults of every option. */
export const defaultOptions: SandboxOptions = {
  members: 2000,
  seed: "laurel",
  seededAt: undefined,
  now: () => Date.now(),
  wait: waitFor,
  programKey: demoKey,
  giftcardKey: demoKey,
  giftcardScopes: ["read", "write"],
  rateLimit: 60,
  giftcardRateLimit: 60,
  control: false,
  settings: {},
  fundCents: 2_500_000,
}

/** The settings a sandbox starts with, and returns to on reset. Throws a ZodError on a bad value. */
export function startSettings(options: SandboxOptions): SandboxSettings {
  return sandboxSettings.parse({
    rateLimit: Number.isFinite(options.rateLimit) ? options.rateLimit : 0,
    giftcardRateLimit: Number.isFinite(options.giftcardRateLimit) ? options.giftcardRateLimit : 0,
    giftcardScopes: [...options.giftcardScopes],
    ...options.settings,
  })
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })
}
