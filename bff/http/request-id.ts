import type { RequestHandler } from "express"
import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Finds the address a request came from; null when its connection is gone already. */
export type SourceAddress = (req: IncomingMessage) => string | null

/** A forwarding header is text that anybody can write: no more of it than an address needs. */
const longestAddress = 45

/**
 * Reads the address a request came from: the first one, counted from here, that is no proxy to be believed. It is the
 * rule of Express's `req.ip`, for requests that do not pass Express, too.
 * @param trusts Express's own reading of TRUST_PROXY (`trust proxy fn`)
 */
export function sourceAddress(trusts: (address: string, hop: number) => boolean): SourceAddress {
  return (req) => {
    const near = req.socket.remoteAddress
    if (near === undefined) return null
    const header = req.headers["x-forwarded-for"]
    const forwarded = typeof header === "string" ? header.split(",").map((one) => one.trim()) : []
    const addresses = [near, ...forwarded.filter((one) => one !== "").toReversed()]
    const source = addresses.find((address, hop) => !trusts(address, hop)) ?? addresses.at(-1) ?? near
    return source.replace(/^::ffff:/, "").slice(0, longestAddress)
  }
}

/** Names every request, in the answer and in the log, so that a person can say which one it was and where it came from. */
export function requestId(sourceOf: SourceAddress): RequestHandler {
  return (req, res, next) => {
    res.locals.requestId = randomUUID()
    res.locals.source = sourceOf(req)
    res.setHeader("X-Request-Id", res.locals.requestId)
    next()
  }
}
