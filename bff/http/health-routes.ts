import { setTimeout as sleep } from "node:timers/promises"
import { Router } from "express"
import type { Store } from "../../core/ports.ts"

/** Whoever asks is told within two seconds, whatever the database does; ms. */
const storeAnswersMs = 1500
/** Each look writes, so one serves everybody who asks within this time, ms. */
const lookServesMs = 1000

/**
 * `/healthz`: the process answers. `/readyz`: it may be sent requests; no longer while it stops, or while the store
 * cannot be written to or does not answer. A service that is away does not make the desk unready: it says so on its
 * pages.
 */
export function healthRoutes(store: Pick<Store, "ping">, isStopping: () => boolean): Router {
  const router = Router()
  const storeTrouble = watchStore(store)
  router.get("/healthz", (_req, res) => {
    res.set("Cache-Control", "no-store").json({ ok: true })
  })
  router.get("/readyz", async (_req, res) => {
    const reason = isStopping() ? "stopping" : await storeTrouble()
    res
      .status(reason === undefined ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(reason === undefined ? { ok: true } : { ok: false, reason })
  })
  return router
}

/** Asks the store, one question at a time: questions to a database that hangs would use up its connections. */
function watchStore(store: Pick<Store, "ping">): () => Promise<string | undefined> {
  let look: Promise<string | undefined> | undefined
  async function ask(): Promise<string | undefined> {
    try {
      await store.ping()
      return undefined
    } catch {
      return "the store cannot be written to"
    } finally {
      setTimeout(() => (look = undefined), lookServesMs).unref()
    }
  }
  return async () => {
    look ??= ask()
    const over = new AbortController()
    try {
      const late = sleep(storeAnswersMs, "the store does not answer", { signal: over.signal, ref: false })
      late.catch(() => undefined)
      return await Promise.race([look, late])
    } finally {
      over.abort()
    }
  }
}
