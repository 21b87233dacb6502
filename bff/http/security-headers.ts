import type { RequestHandler } from "express"
import { randomBytes } from "node:crypto"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import helmet from "helmet"

/** For everything that is not the page: nothing of it is ever run or framed. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer. Browsers are told to insist on TLS only where the desk is reached over it. */
export function securityHeaders(publicOrigin: string | undefined): RequestHandler {
  const headers = securityHeaderList(publicOrigin)
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    next()
  }
}

/** What every answer gets. It is the same for all of them, so it is worked out once, on an answer that nobody reads. */
function securityHeaderList(publicOrigin: string | undefined): readonly (readonly [string, string])[] {
  const overTls = publicOrigin?.startsWith("https://") ?? false
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  const usual = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: overTls ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
  })
  usual(answer.req, answer, () => undefined)
  answer.setHeader("Content-Security-Policy", closedPolicy)
  answer.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
  return Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)])
}

/** What browsers heed with data, too; the others are about pages and frames. */
const heededWithData: ReadonlySet<string> = new Set([
  "content-security-policy",
  "cross-origin-resource-policy",
  "strict-transport-security",
  "x-content-type-options",
])

/** What an answer gets that is nothing but data. */
export function dataHeaderList(publicOrigin: string | undefined): readonly (readonly [string, string])[] {
  return securityHeaderList(publicOrigin).filter(([name]) => heededWithData.has(name.toLowerCase()))
}

/** A fresh nonce for one page. */
export function newNonce(): string {
  return randomBytes(16).toString("base64")
}

/**
 * The policy of the page: scripts only from here; styles from here or with the nonce (the widget library writes
 * style elements); pictures of rewards from wherever the catalogue has them.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data: https:",
    "worker-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")
}
