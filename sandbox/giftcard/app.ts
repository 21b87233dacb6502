import { Hono } from "hono"
import { giftcardError } from "../answer.ts"
import { Refusal } from "../refusal.ts"
import type { CallEnv } from "../world.ts"
import { issueCard } from "./issue.ts"
import { lookupCard } from "./lookup.ts"
import { unspecified } from "./refusals.ts"

/** The gift-card API under `/api/v1/external` (docs/api/giftcard.md). */
export function giftcardApp(): Hono<CallEnv> {
  const app = new Hono<CallEnv>().basePath("/api/v1/external")
  app.use("/giftcard/*", async (c, next) => {
    const { settings } = c.env.world
    const needed = c.req.method === "GET" ? "read" : "write"
    if (!settings.giftcardScopes.includes(needed)) {
      throw new Refusal(403, "PERMISSION_DENIED", `This key lacks the giftCard ${needed} permission`)
    }
    return next()
  })
  app.post("/giftcard/cards", (c) => issueCard(c))
  app.get("/giftcard/cards/:id", (c) => lookupCard(c, c.req.param("id")))
  app.notFound((c) =>
    giftcardError(c.env.world.settings, unspecified(c.env.world.settings, 404, "NOT_FOUND", "Not found")),
  )
  app.onError((error, c) => {
    const { settings } = c.env.world
    if (error instanceof Refusal) return giftcardError(settings, error)
    return giftcardError(settings, unspecified(settings, 500, "INTERNAL", "Something went wrong"))
  })
  return app
}
