import { http, HttpResponse } from "msw"
import {
  cacheSettings,
  pointsSettings,
  programSettings,
  retentionSettings,
  type SettingsValue,
  stockSettings,
} from "../../../contract/settings.ts"
import type { AppStatus, KeyTest } from "../../../contract/status.ts"
import { createUserBody, type AppUser, type OwnSession, updateUserBody } from "../../../contract/users.ts"
import type { Job } from "../../../contract/job.ts"
import { amountLimits, firstAmountLimits } from "../../../contract/amount-limits.ts"
import type { Role } from "../../../contract/roles.ts"
import { makeStatus } from "./make-status.ts"
import { makeSession, makeUser } from "./make-user.ts"

/** State of the fake server. */
export interface FakeApp {
  /** Role of the signed-in user, Helen Park. */
  role: Role
  users: AppUser[]
  status: AppStatus
  program: SettingsValue<"program">
  points: SettingsValue<"points">
  limits: SettingsValue<"limits">
  stock: SettingsValue<"stock">
  cache: SettingsValue<"cache">
  retention: SettingsValue<"retention">
  /** Result of a key test. */
  keyTest: KeyTest
  sessions: OwnSession[]
  /** Running jobs. */
  jobs: Job[]
  /** Every write: `PATCH /api/users/ana {"role":"manager"}`. */
  readonly writes: string[]
  /** Number of links created; each has a new token. */
  links: number
}

/** An app with Helen (administrator), Priya (manager) and Ana, who has not used her link. */
export function makeApp(changes: Partial<FakeApp> = {}): FakeApp {
  return {
    role: "admin",
    users: [
      makeUser({ id: "helen", name: "Helen Park", role: "admin" }),
      makeUser({ id: "priya", name: "Priya Nair", role: "manager" }),
      makeUser({ id: "ana", name: "Ana Silva", has_password: false, last_seen_at: null }),
    ],
    status: makeStatus(),
    program: { ...makeSession("admin").program, country: "AU" },
    points: { batch_code: true },
    limits: firstAmountLimits,
    stock: { low: 10 },
    cache: { members: 30, rewards: 300, leaderboards: 60, orders: 15 },
    retention: { address_days: 90 },
    keyTest: { problem: null, ms: 42 },
    sessions: [],
    jobs: [],
    writes: [],
    links: 0,
    ...changes,
  }
}

const ok = (data: unknown, status = 200) => HttpResponse.json({ success: true, data }, { status })
const no = (status: number, code: string, message: string, details?: object) =>
  HttpResponse.json({ success: false, error: { code, message, requestId: "r-1", details } }, { status })

/** Handlers for the requests of the settings pages. Any other request fails the test. */
export function appHandlers(app: () => FakeApp) {
  const note = async (request: Request) => {
    const text = await request.clone().text()
    app().writes.push(`${request.method} ${new URL(request.url).pathname} ${text}`.trim())
  }
  const link = () => {
    app().links += 1
    return { path: `/set-password#token=token-${app().links}`, expires_at: "2026-11-22T00:30:00Z" }
  }
  return [
    http.get("*/api/session", () => ok({ ...makeSession(app().role), program: app().program })),
    http.get("*/api/about", () =>
      ok({ version: "1.0.0", environment: "sandbox", set_up_needed: false, demo_accounts: [] }),
    ),
    http.get("*/api/jobs/summary", () => ok({ active: 0, attention: 0 })),
    http.get("*/api/notices/unread", () => ok({ unread: 0 })),
    http.get("*/api/status", () => ok(app().status)),
    http.get("*/api/status/budget", () => ok(app().status.budgets)),
    http.get("*/api/settings/program", () => ok(app().program)),
    http.put("*/api/settings/program", async ({ request }) => {
      await note(request)
      app().program = programSettings.parse(await request.json())
      return ok(app().program)
    }),
    http.get("*/api/settings/points", () => ok(app().points)),
    http.put("*/api/settings/points", async ({ request }) => {
      await note(request)
      app().points = pointsSettings.parse(await request.json())
      return ok(app().points)
    }),
    http.get("*/api/settings/limits", () => ok(app().limits)),
    http.put("*/api/settings/limits", async ({ request }) => {
      await note(request)
      app().limits = amountLimits.parse(await request.json())
      return ok(app().limits)
    }),
    http.get("*/api/settings/stock", () => ok(app().stock)),
    http.put("*/api/settings/stock", async ({ request }) => {
      await note(request)
      app().stock = stockSettings.parse(await request.json())
      return ok(app().stock)
    }),
    http.get("*/api/settings/cache", () => ok(app().cache)),
    http.put("*/api/settings/cache", async ({ request }) => {
      await note(request)
      app().cache = cacheSettings.parse(await request.json())
      return ok(app().cache)
    }),
    http.get("*/api/settings/retention", () => ok(app().retention)),
    http.put("*/api/settings/retention", async ({ request }) => {
      await note(request)
      app().retention = retentionSettings.parse(await request.json())
      return ok(app().retention)
    }),
    http.post("*/api/status/:api/test", async ({ request }) => {
      await note(request)
      return ok(app().keyTest)
    }),
    http.get("*/api/session/list", () => ok(app().sessions)),
    http.delete("*/api/session/list", async ({ request }) => {
      await note(request)
      app().sessions = app().sessions.filter(({ current }) => current)
      return ok(app().sessions)
    }),
    http.delete("*/api/session/list/:id", async ({ request, params }) => {
      await note(request)
      app().sessions = app().sessions.filter(({ id }) => id !== params.id)
      return ok(app().sessions)
    }),
    http.get("*/api/users", () => ok(app().users)),
    http.get("*/api/jobs", ({ request }) => {
      const maker = new URL(request.url).searchParams.get("created_by")
      return ok(app().jobs.filter(({ created_by: { id } }) => id === maker))
    }),
    http.post("*/api/users", async ({ request }) => {
      await note(request)
      const body = createUserBody.parse(await request.json())
      if (app().users.some(({ email }) => email === body.email)) {
        const problem = { field: "email", message: "Somebody has this e-mail already." }
        return no(422, "validation", problem.message, { fields: [problem] })
      }
      const user = makeUser({ ...body, id: "added", has_password: false, last_seen_at: null })
      app().users.push(user)
      return ok({ user, link: link() }, 201)
    }),
    http.get("*/api/users/:id", ({ params }) => {
      const user = app().users.find(({ id }) => id === params.id)
      return user === undefined ? no(404, "not_found", "User not found.") : ok(user)
    }),
    http.patch("*/api/users/:id", async ({ request, params }) => {
      await note(request)
      const body = updateUserBody.parse(await request.json())
      const index = app().users.findIndex(({ id }) => id === params.id)
      const user = app().users[index]
      if (user === undefined) return no(404, "not_found", "User not found.")
      if (user.role === "admin") {
        const field = body.disabled === true ? "disabled" : "role"
        const message = "This is the last administrator. Nothing was saved."
        return no(422, "validation", `${field}: ${message}`, { fields: [{ field, message }] })
      }
      const { name = user.name, role = user.role, disabled = user.disabled } = body
      const saved = { ...user, name, role, disabled }
      app().users[index] = saved
      return ok(saved)
    }),
    http.post("*/api/users/:id/link", async ({ request }) => {
      await note(request)
      return ok(link())
    }),
  ]
}
