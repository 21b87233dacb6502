import type { SandboxSettings } from "./config.ts"
import { type Api, giftcardError, programError, unspecified } from "./http.ts"
import type { World } from "./world.ts"

/** Middleware of both APIs: the key and the requests a minute. */
export class RateLimiter {
  private readonly world: World
  private readonly limits: Record<Api, RateLimit> = { program: new RateLimit(), giftcard: new RateLimit() }

  constructor(world: World) {
    this.world = world
  }

  check(api: Api, headers: Headers, now: number): Response | undefined {
    const { settings, options } = this.world
    const key = api === "program" ? options.programKey : options.giftcardKey
    if (headers.get("authorization") !== `Bearer ${key}`) return this.unauthorized(api)
    const limit = api === "program" ? settings.rateLimit : settings.giftcardRateLimit
    if (this.limits[api].take(now, limit, settings.rateWindow)) return undefined
    return this.rateLimited(api)
  }

  /** 429, with no header that would say when to come back: none is documented. */
  rateLimited(api: Api): Response {
    const { settings } = this.world
    const message = "Rate limit exceeded"
    return api === "program"
      ? programError(429, settings.rateLimitedCode, message)
      : giftcardError(settings, unspecified(settings, 429, "RATE_LIMITED", message))
  }

  clear(): void {
    this.limits.program.clear()
    this.limits.giftcard.clear()
  }

  private unauthorized(api: Api): Response {
    const { settings } = this.world
    if (api === "program") return programError(401, "unauthorized", "Invalid API key")
    const refusal = unspecified(settings, 401, "UNAUTHORIZED", "Invalid or missing API key")
    return giftcardError(settings, refusal)
  }
}

const minute = 60_000

/**
 * One key's requests in a minute. "sliding" counts the last 60 s, "fixed" the minute of the clock; a request that
 * is refused is not counted.
 */
class RateLimit {
  private accepted: number[] = []

  /** Whether a request at a time (ms) is within the limit; counts it if so. Limit 0 lets everything through. */
  take(now: number, limit: number, window: SandboxSettings["rateWindow"]): boolean {
    if (limit === 0) return true
    const since = window === "sliding" ? now - minute : Math.floor(now / minute) * minute - 1
    this.accepted = this.accepted.filter((at) => at > since)
    if (this.accepted.length >= limit) return false
    this.accepted.push(now)
    return true
  }

  clear(): void {
    this.accepted = []
  }
}
