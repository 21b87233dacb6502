import { Router } from "express"
import type { Store } from "../core/ports.ts"

/**
 * `/healthz`: the process answers. `/readyz`: it may be sent requests; no longer while it stops, or while the store
 * does not answer. A service that is away does not make the desk unready: it says so on its pages.
 */
export function healthRoutes(store: Store, isStopping: () => boolean): Router {
  const router = Router()
  router.get("/healthz", (_req, res) => {
    res.set("Cache-Control", "no-store").json({ ok: true })
  })
  router.get("/readyz", async (_req, res) => {
    const reason = isStopping() ? "stopping" : await storeTrouble(store)
    res
      .status(reason === undefined ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(reason === undefined ? { ok: true } : { ok: false, reason })
  })
  return router
}

async function storeTrouble(store: Store): Promise<string | undefined> {
  try {
    await store.ping()
    return undefined
  } catch {
    return "the store does not answer"
  }
}
