import { settingsWith, type SandboxSettings } from "./settings.ts"

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
  now: Date.now,
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

/** The settings a sandbox starts with, and returns to on reset. */
export function startSettings(options: SandboxOptions): SandboxSettings {
  return settingsWith({
    rateLimit: finite(options.rateLimit),
    giftcardRateLimit: finite(options.giftcardRateLimit),
    giftcardScopes: [...options.giftcardScopes],
    ...options.settings,
  })
}

function finite(limit: number): number {
  return Number.isFinite(limit) ? limit : 0
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
