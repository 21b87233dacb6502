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
    const keys = settings.keys ?? [api === "program" ? options.programKey : options.giftcardKey]
    const sent = headers.get("authorization")
    if (!keys.some((key) => sent === `Bearer ${key}`)) return this.unauthorized(api)
    const limit = api === "program" ? settings.rateLimit : settings.giftcardRateLimit
    if (this.limits[api].take(now, limit)) return undefined
    return this.rateLimited(api)
  }

  /** 429, with no header that would say when to come back: none is documented. */
  rateLimited(api: Api): Response {
    const { settings } = this.world
    const message = "Rate limit exceeded"
    return api === "program"
      ? programError(429, "rate_limited", message)
      : giftcardError(settings, unspecified(429, message))
  }

  clear(): void {
    this.limits.program.clear()
    this.limits.giftcard.clear()
  }

  private unauthorized(api: Api): Response {
    const { settings } = this.world
    if (api === "program") return programError(401, "unauthorized", "Invalid API key")
    return giftcardError(settings, unspecified(401, "Invalid or missing API key"))
  }
}

const minute = 60_000

/** One key's requests in the last 60 s. A refused request is not counted. */
class RateLimit {
  private accepted: number[] = []

  /** Whether a request at a time (ms) is within the limit; counts it if so. Limit 0 lets everything through. */
  take(now: number, limit: number): boolean {
    if (limit === 0) return true
    this.accepted = this.accepted.filter((at) => at > now - minute)
    if (this.accepted.length >= limit) return false
    this.accepted.push(now)
    return true
  }

  clear(): void {
    this.accepted = []
  }
}
