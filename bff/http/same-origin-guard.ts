import type { Request, RequestHandler } from "express"
import { DeskFailure } from "../../core/errors.ts"

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * Lets a request that changes something pass only if it comes from the desk's own page: the header that no other
 * site can send, and an origin that is ours wherever the browser names one.
 */
export function sameOriginGuard(publicOrigin: string | undefined): RequestHandler {
  return (req, _res, next) => {
    if (safeMethods.has(req.method) || (req.get("X-Laurel") === "1" && isOwnOrigin(req, publicOrigin))) {
      next()
      return
    }
    throw new DeskFailure({
      status: 403,
      code: "guard_missing",
      message:
        "The request didn’t come from Laurel’s own page. Nothing was done. Reload the page and try again.",
    })
  }
}

function isOwnOrigin(req: Request, publicOrigin: string | undefined): boolean {
  const site = req.get("Sec-Fetch-Site")
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  const origin = req.get("Origin")
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return URL.parse(origin)?.host === req.get("Host")
}
