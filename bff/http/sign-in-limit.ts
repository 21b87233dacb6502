import { ipKeyGenerator, rateLimit } from "express-rate-limit"
import type { Request, Response } from "express"
import * as z from "zod/mini"
import { failureAnswer } from "../core/answer.ts"
import { DeskFailure } from "../core/failure.ts"
import { sendAnswer } from "./send-answer.ts"

/** How many failed attempts are let through in a quarter of an hour. Only failed ones count. */
export interface SignInLimits {
  /** From one address for one e-mail. */
  readonly perPerson: number
  /** From one address altogether: passwords are not tried on many people either. */
  readonly perAddress: number
}

/** The limits of a running desk. */
export const defaultSignInLimits: SignInLimits = { perPerson: 10, perAddress: 50 }

const windowMs = 15 * 60 * 1000
/** What the limiter leaves at the request. */
const count = z.object({ resetTime: z.date() })
const withEmail = z.object({ email: z.string() })

/**
 * Holds back guessing. Each instance counts for itself. The person is told how long to wait; the answer is the same
 * whether the address exists or not.
 */
export function signInLimit(limits: SignInLimits) {
  return [limiter(limits.perAddress, addressOf), limiter(limits.perPerson, personOf)] as const
}

/** Holds back guessing of one-time links from one address. */
export function linkLimit(limits: SignInLimits) {
  return limiter(limits.perAddress, addressOf)
}

function addressOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? "unknown")
}

function personOf(req: Request): string {
  const body = withEmail.safeParse(req.body)
  return `${addressOf(req)} ${body.success ? body.data.email.trim().toLowerCase() : ""}`
}

function limiter(limit: number, keyGenerator: (req: Request) => string) {
  return rateLimit({
    windowMs,
    limit,
    keyGenerator,
    skipSuccessfulRequests: true,
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    handler: async (req, res: Response) => {
      const counted = count.safeParse(Reflect.get(req, "rateLimit"))
      const waitMs = counted.success ? counted.data.resetTime.getTime() - Date.now() : windowMs
      const seconds = Math.max(1, Math.ceil(waitMs / 1000))
      const failure = new DeskFailure({
        status: 429,
        code: "too_many_attempts",
        message: `Too many attempts. Nothing was checked. Try again in ${minutes(seconds)}, or ask an administrator for a new password link.`,
        headers: { "Retry-After": String(seconds) },
      })
      await sendAnswer(req, res, failureAnswer(failure, res.locals.requestId))
    },
  })
}

function minutes(seconds: number): string {
  const whole = Math.ceil(seconds / 60)
  return whole === 1 ? "a minute" : `${whole} minutes`
}
