import { randomBytes } from "node:crypto"
import helmet from "helmet"

/** For everything that is not the page: nothing of it is ever run or framed. */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer. Browsers are told to insist on TLS only where the desk is reached over it. */
export function securityHeaders(publicOrigin: string | undefined) {
  const overTls = publicOrigin?.startsWith("https://") ?? false
  const base = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: overTls ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
  })
  return [
    base,
    (_req: unknown, res: { setHeader(name: string, value: string): unknown }, next: () => void) => {
      res.setHeader("Content-Security-Policy", closedPolicy)
      res.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
      next()
    },
  ] as const
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
