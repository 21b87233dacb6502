import type { Role } from "../../../contract/roles.ts"
import { sessionOf, type Handlers } from "../test-app.tsx"

/** A server with one board whose rankings are `sent`, or what `sent` returns if it is a function. */
export function boardServer(sent: unknown, role: Role = "manager", further: Handlers = {}): Handlers {
  let mappings: unknown = { boards: [] }
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/program/leaderboards": () => [{ id: "lb_1", name: "Q4 Sprint" }],
    "GET /api/program/leaderboards/lb_1/rankings": () =>
      Response.json({ success: true, data: typeof sent === "function" ? (sent() as unknown) : sent }),
    "GET /api/leaderboards/lb_1/history": () => ({ first_at: null, snapshots: [] }),
    "GET /api/settings/leaderboardMappings": () => mappings,
    "PUT /api/settings/leaderboardMappings": ({ body }) => (mappings = body),
    ...further,
  }
}
