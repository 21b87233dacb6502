import { Hono } from "hono"
import { programError, Refusal } from "../http.ts"
import type { CallEnv } from "../world.ts"
import { leaderboardRoutes } from "./leaderboards.ts"
import { memberRoutes } from "./members.ts"
import { orderRoutes } from "./orders.ts"
import { pointRoutes } from "./points.ts"
import { rewardRoutes } from "./rewards.ts"

/** The program API under `/v1` (docs/api/program.md). */
export function programApp(): Hono<CallEnv> {
  const app = new Hono<CallEnv>().basePath("/v1")
  app.route("/members", memberRoutes())
  app.route("/points", pointRoutes())
  app.route("/rewards", rewardRoutes())
  app.route("/orders", orderRoutes())
  app.route("/leaderboards", leaderboardRoutes())
  app.notFound(() => programError(404, "not_found", "Resource not found"))
  app.onError((error) => {
    if (error instanceof Refusal) return programError(error.status, error.code ?? "error", error.message)
    return programError(500, "server_error", "Something went wrong")
  })
  return app
}
