import { http, HttpResponse } from "msw"
import { pointsSettings, programSettings, type SettingsValue } from "../../../contract/settings.ts"
import type { AppStatus } from "../../../contract/status.ts"
import { createUserBody, type AppUser, updateUserBody } from "../../../contract/users.ts"
import { amountLimits, firstAmountLimits } from "../../../contract/amount-limits.ts"
import type { Role } from "../../../contract/roles.ts"
import { makeStatus } from "./make-status.ts"
import { makeSession, makeUser } from "./make-user.ts"

/** What the server holds, as a test wants it. */
export interface FakeApp {
  /** Role of Helen Park, who is signed in. */
  role: Role
  users: AppUser[]
  status: AppStatus
  program: SettingsValue<"program">
  points: SettingsValue<"points">
  limits: SettingsValue<"limits">
  /** Every change that was asked for: `PATCH /api/users/ana {"role":"manager"}`. */
  readonly writes: string[]
  /** Links made so far: each has another token. */
  links: number
}

/** A desk with Helen (administrator), Priya (manager) and Ana, whose link was not used yet. */
export function makeApp(changes: Partial<FakeApp> = {}): FakeApp {
  return {
    role: "admin",
    users: [
      makeUser({ id: "helen", name: "Helen Park", role: "admin" }),
      makeUser({ id: "priya", name: "Priya Nair", role: "manager" }),
      makeUser({ id: "ana", name: "Ana Silva", has_password: false, last_seen_at: null }),
    ],
    status: makeStatus(),
    program: makeSession("admin").program,
    points: { batch_code: true },
    limits: firstAmountLimits,
    writes: [],
    links: 0,
    ...changes,
  }
}

const ok = (data: unknown, status = 200) => HttpResponse.json({ success: true, data }, { status })
const no = (status: number, code: string, message: string, details?: object) =>
  HttpResponse.json({ success: false, error: { code, message, requestId: "r-1", details } }, { status })

/** The server's addresses the settings use. Whatever else is asked fails the test. */
export function appHandlers(desk: () => FakeApp) {
  const note = async (request: Request) => {
    const text = await request.clone().text()
    desk().writes.push(`${request.method} ${new URL(request.url).pathname} ${text}`.trim())
  }
  const link = () => {
    desk().links += 1
    return { path: `/set-password#token=token-${desk().links}`, expires_at: "2026-11-22T00:30:00Z" }
  }
  return [
    http.get("*/api/session", () => ok({ ...makeSession(desk().role), program: desk().program })),
    http.get("*/api/about", () =>
      ok({ version: "1.0.0", environment: "sandbox", set_up_needed: false, demo_accounts: [] }),
    ),
    http.get("*/api/jobs/summary", () => ok({ active: 0, attention: 0 })),
    http.get("*/api/status", () => ok(desk().status)),
    http.get("*/api/status/budget", () => ok(desk().status.budgets)),
    http.get("*/api/settings/program", () => ok(desk().program)),
    http.put("*/api/settings/program", async ({ request }) => {
      await note(request)
      desk().program = programSettings.parse(await request.json())
      return ok(desk().program)
    }),
    http.get("*/api/settings/points", () => ok(desk().points)),
    http.put("*/api/settings/points", async ({ request }) => {
      await note(request)
      desk().points = pointsSettings.parse(await request.json())
      return ok(desk().points)
    }),
    http.get("*/api/settings/limits", () => ok(desk().limits)),
    http.put("*/api/settings/limits", async ({ request }) => {
      await note(request)
      desk().limits = amountLimits.parse(await request.json())
      return ok(desk().limits)
    }),
    http.get("*/api/users", () => ok(desk().users)),
    http.post("*/api/users", async ({ request }) => {
      await note(request)
      const body = createUserBody.parse(await request.json())
      if (desk().users.some(({ email }) => email === body.email)) {
        const problem = { field: "email", message: "Somebody has this e-mail already." }
        return no(422, "validation", problem.message, { fields: [problem] })
      }
      const user = makeUser({ ...body, id: "added", has_password: false, last_seen_at: null })
      desk().users.push(user)
      return ok({ user, link: link() }, 201)
    }),
    http.get("*/api/users/:id", ({ params }) => {
      const user = desk().users.find(({ id }) => id === params.id)
      return user === undefined ? no(404, "not_found", "User not found.") : ok(user)
    }),
    http.patch("*/api/users/:id", async ({ request, params }) => {
      await note(request)
      const body = updateUserBody.parse(await request.json())
      const index = desk().users.findIndex(({ id }) => id === params.id)
      const user = desk().users[index]
      if (user === undefined) return no(404, "not_found", "User not found.")
      if (user.role === "admin") {
        const field = body.disabled === true ? "disabled" : "role"
        const message = "This is the last administrator. Nothing was saved."
        return no(422, "validation", `${field}: ${message}`, { fields: [{ field, message }] })
      }
      const { name = user.name, role = user.role, disabled = user.disabled } = body
      const saved = { ...user, name, role, disabled }
      desk().users[index] = saved
      return ok(saved)
    }),
    http.post("*/api/users/:id/link", async ({ request }) => {
      await note(request)
      return ok(link())
    }),
  ]
}
