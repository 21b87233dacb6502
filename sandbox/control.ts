import { Hono } from "hono"
import * as z from "zod/mini"
import type { Sandbox } from "./app.ts"
import { approveAward } from "./approval.ts"
import { faultInput } from "./faults/rule.ts"
import { sandboxSettings } from "./settings.ts"
import { callAt, type World } from "./world.ts"

/**
 * `/__sandbox/*`: settings, faults, reset, and what the sandbox did, for a panel or a test that only has HTTP
 * (docs/sandbox.md, Control). Without a sandbox every path answers 404.
 */
export function controlApp(on: { sandbox: Sandbox; world: World } | undefined): Hono {
  const app = new Hono()
  app.notFound(() => problem(404, "Nothing is served at this path"))
  if (on === undefined) return app
  const { sandbox, world } = on
  const control = new Hono().basePath("/__sandbox")
  control.get("/settings", () => data(world.settings))
  control.put("/settings", async (c) => {
    const sent = z.record(z.string(), z.unknown()).parse(await c.req.json())
    Object.assign(world.settings, sandboxSettings.parse({ ...world.settings, ...sent }))
    return data(world.settings)
  })
  control.get("/faults", () => data(sandbox.faults.list()))
  control.post("/faults", async (c) => data(sandbox.faults.add(faultInput.parse(await c.req.json())), 201))
  control.delete("/faults", (c) => {
    sandbox.faults.clear()
    return c.body(null, 204)
  })
  control.delete("/faults/:id", (c) =>
    sandbox.faults.remove(c.req.param("id")) ? c.body(null, 204) : problem(404, "There is no such fault"),
  )
  control.post("/reset", (c) => {
    sandbox.reset()
    return c.body(null, 204)
  })
  control.post("/settle", async (c) => {
    await sandbox.settleAll()
    return c.body(null, 204)
  })
  control.get("/ledger", () => data(world.store.ledger))
  control.get("/requests", () => data({ count: sandbox.requests.count, entries: sandbox.requests.entries }))
  control.get("/outbox", () => data(world.store.cards.outbox))
  control.get("/fund", () => data({ cents: world.store.fundCents }))
  control.put("/fund", async (c) => {
    const { cents } = z.object({ cents: z.int() }).parse(await c.req.json())
    world.store.setFund(cents)
    return data({ cents })
  })
  control.get("/waiting", () => data(world.store.transactions.awaiting))
  control.post("/waiting/:id/approve", (c) => {
    const row = approveAward(callAt(world, world.options.now()), c.req.param("id"))
    return row === undefined ? problem(404, "No award with this id waits for approval") : data(row)
  })
  control.onError((error) => problem(400, error.message))
  app.route("/", control)
  return app
}

function data(value: unknown, status: 200 | 201 = 200): Response {
  return Response.json({ data: value }, { status })
}

function problem(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status })
}
