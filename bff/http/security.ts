import { randomBytes } from "node:crypto"
import { isIPv4 } from "node:net"
import type { Request, RequestHandler } from "express"
import helmet from "helmet"
import type { Config } from "../config.ts"
import { refusals } from "./refusals.ts"

/** For everything but the page: never executed nor framed. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** For the service worker, which fetches the built files again and answers pages with them. */
export const workerPolicy = "default-src 'none'; connect-src 'self'"

/** Headers that concern documents. A page loads some twenty scripts and style sheets, on which they only cost time. */
const documentHeaders = [
  "crossOriginOpenerPolicy",
  "originAgentCluster",
  "referrerPolicy",
  "xDnsPrefetchControl",
  "xDownloadOptions",
  "xFrameOptions",
  "xPermittedCrossDomainPolicies",
  "xXssProtection",
] as const

/** Headers of every response. HSTS is only sent where Laurel is reached over TLS. */
export function securityHeaders(publicOrigin: string | undefined): RequestHandler {
  const overTls = publicOrigin?.startsWith("https://") ?? false
  const common = {
    contentSecurityPolicy: false,
    strictTransportSecurity: overTls ? { maxAge: 31_536_000 } : false,
  } as const
  const protect = helmet({
    ...common,
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
  })
  const protectFile = helmet({
    ...common,
    ...Object.fromEntries(documentHeaders.map((name) => [name, false])),
  })
  return (req, res, next) => {
    res.setHeader("Content-Security-Policy", closedPolicy)
    if (req.path.startsWith("/assets/")) return protectFile(req, res, next)
    res.setHeader("Permissions-Policy", "camera=(self), geolocation=(), microphone=(), payment=(), usb=()")
    protect(req, res, next)
  }
}

export function newNonce(): string {
  return randomBytes(16).toString("base64")
}

/** Scripts only from this origin; styles also with the nonce, because the widget library writes some; any pictures. */
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

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * Lets a request that changes something pass only if it comes from Laurel's own page: the header that no other
 * site can send, and an origin that is ours where the browser names one.
 */
export function originGuard(publicOrigin: string | undefined): RequestHandler {
  return (req, _res, next) => {
    if (safeMethods.has(req.method) || (req.get("X-Laurel") === "1" && isOwnOrigin(req, publicOrigin))) {
      next()
      return
    }
    throw refusals.guardMissing()
  }
}

/**
 * Without a public address only names are served that no other site can point here: a page whose own name leads to this
 * machine would otherwise pass for Laurel's.
 */
export function hostGuard({
  host,
  publicOrigin,
  allowedHosts,
}: Pick<Config, "host" | "publicOrigin" | "allowedHosts">): RequestHandler {
  const own = new Set([host.toLowerCase(), ...allowedHosts])
  const isAnyAddress = host === "0.0.0.0" || host === "::"
  return (req, _res, next) => {
    if (publicOrigin !== undefined) return next()
    const name = URL.parse(`http://${req.get("Host") ?? ""}`)?.hostname.replace(/^\[|\]$/g, "") ?? ""
    const local = req.socket.localAddress?.replace(/^::ffff:/, "")
    if (isLoopbackName(name) || own.has(name) || (isAnyAddress && name === local)) return next()
    throw refusals.hostRefused(name)
  }
}

function isLoopbackName(name: string): boolean {
  return name === "::1" || /^(?:.+\.)?localhost$/.test(name) || (isIPv4(name) && name.startsWith("127."))
}

function isOwnOrigin(req: Request, publicOrigin: string | undefined): boolean {
  const site = req.get("Sec-Fetch-Site")
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  const origin = req.get("Origin")
  if (origin === undefined) return true
  // A sandboxed frame or a local file is never Laurel's page.
  if (origin === "null") return false
  if (publicOrigin !== undefined) return origin === publicOrigin
  return URL.parse(origin)?.host === req.get("Host")
}
