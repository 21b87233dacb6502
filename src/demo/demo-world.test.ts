import { afterEach, describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { createDemoControls } from "./api-handler.ts"
import type { DemoWorld } from "./demo-world.ts"
import type { SavedState } from "./demo-store.ts"
import { openNewWorld, openWorld, requestDemo, signInAs } from "../../tests/support/demo/demo-request.ts"

const members = z.array(z.looseObject({ id: z.string(), company: z.string().optional() }))

/** The state after a change to a member, as stored by a browser. */
async function changedWorld() {
  const { world } = await openWorld()
  await signInAs(world, "admin")
  const list = members.parse((await requestDemo(world, "GET", "/program/members")).data)
  const id = list[0]?.id ?? ""
  const edited = await requestDemo(world, "PATCH", `/program/members/${id}`, { company: "Coastal & Sons" })
  expect(edited.status).toBe(200)
  return { world, id }
}

/** All readable text of the state, including the database file. */
function textOf({ store, ...rest }: SavedState): string {
  return JSON.stringify(rest) + new TextDecoder("latin1").decode(store)
}

const weekMs = 604_800_000
const noticeList = z.array(z.object({ key: z.string(), read: z.boolean() }))
const notices = async (world: DemoWorld) =>
  noticeList.parse((await requestDemo(world, "GET", "/notices")).data)
const dated = z.array(z.looseObject({ created_at: z.string() }))
const entries = z.array(z.looseObject({ at: z.string() }))
const history = z.looseObject({ snapshots: entries })
const cards = z.array(z.looseObject({ issued_at: z.string(), expires_at: z.string() }))

/** Times that the pages show first, newest first, in ms. */
async function newest(world: DemoWorld) {
  const read = async (path: string) => (await requestDemo(world, "GET", path)).data
  const created = async (path: string) =>
    dated.parse(await read(path)).map((one) => Date.parse(one.created_at))
  const [card] = cards.parse(await read("/cards?page=1&per_page=25"))
  return {
    ledger: await created("/program/members/mem_8Fq2Lx41/transactions?page=1&per_page=25"),
    orders: await created("/program/orders?page=1&per_page=25"),
    signIn: await created("/session/list"),
    users: await created("/users"),
    jobs: await created("/jobs?per_page=50"),
    audit: entries.parse(await read("/audit?per_page=50")).map(({ at }) => Date.parse(at)),
    cards: [Date.parse(card?.issued_at ?? ""), Date.parse(card?.expires_at ?? "")],
    board: history.parse(await read("/leaderboards/lb_q4sprint/history")).snapshots.at(-1)?.at,
  }
}

describe("a saved state", () => {
  afterEach(() => vi.useRealTimers())

  it("keeps its dates and read notices when it is opened weeks later", async () => {
    const { world } = await changedWorld()
    await requestDemo(world, "PUT", "/notices/read", { keys: (await notices(world)).map(({ key }) => key) })
    const before = await newest(world)
    // Request counts are saved too.
    await world.core.stop()
    const saved = structuredClone(await world.snapshot())
    vi.useFakeTimers({ now: Date.now() + 3 * weekMs, toFake: ["Date"] })
    const { world: reopened } = await openWorld(saved)
    expect(await newest(reopened)).toEqual(before)
    expect((await notices(reopened)).filter(({ read }) => !read)).toEqual([])
    const { world: fresh } = await openNewWorld()
    await signInAs(fresh, "admin")
    expect(Math.max(...(await newest(fresh)).jobs)).toBeGreaterThan(Date.now() - weekMs)
  })
})

describe("what the demo keeps between visits", () => {
  it("brings back members, audit log, users and who is signed in", async () => {
    const { world, id } = await changedWorld()
    await requestDemo(world, "POST", "/users", { name: "Jo Bell", email: "jo@laurel.demo", role: "viewer" })
    const { world: later } = await openWorld(structuredClone(await world.snapshot()))
    expect(await requestDemo(later, "GET", `/program/members/${id}`)).toMatchObject({
      data: { company: "Coastal & Sons" },
    })
    const audit = JSON.stringify((await requestDemo(later, "GET", "/audit")).data)
    expect(audit).toContain("member.update")
    expect(audit).toContain("user.create")
  })

  it("brings back the faults that its panel showed, although the state was not saved since", async () => {
    const storage = new Map<string, string>()
    const getItem = (key: string) => storage.get(key) ?? null
    vi.stubGlobal("localStorage", { getItem, setItem: (key: string, text: string) => storage.set(key, text) })
    const open = async () => {
      const { world } = await openWorld()
      const unused = () => Promise.reject(new Error("Nothing is saved or reset."))
      return { world, controls: await createDemoControls(world, unused, unused) }
    }
    const first = await open()
    await first.controls.setFaults(["write-500"], true)
    const later = await open()
    expect(later.controls.view.getState().faults).toEqual(["write-500"])
    expect(later.world.faults()).toEqual(["write-500"])
    expect(later.world.sandbox.faults.list()).toHaveLength(3)
    await later.controls.setFaults(["write-500"], false)
    expect((await open()).world.sandbox.faults.list()).toEqual([])
  })

  it("keeps earlier changes when saved again", async () => {
    const { world, id } = await changedWorld()
    const { world: second } = await openWorld(structuredClone(await world.snapshot()))
    const { world: third } = await openWorld(structuredClone(await second.snapshot()))
    expect(await requestDemo(third, "GET", `/program/members/${id}`)).toMatchObject({
      data: { company: "Coastal & Sons" },
    })
  })

  it("holds no password, no token and no digital code", async () => {
    const { world } = await changedWorld()
    const made = await requestDemo(world, "POST", "/users", {
      name: "Jo Bell",
      email: "jo@laurel.demo",
      role: "viewer",
    })
    const { link } = z.looseObject({ link: z.object({ path: z.string() }) }).parse(made.data)
    const token = link.path.split("#token=")[1] ?? ""
    const { orders } = world.sandbox.store
    const digital = orders.all.find((order) => order.code !== null)
    if (digital === undefined || digital.code === null) throw new Error("The seed has no digital order.")
    orders.put({ ...digital, status: "cancelled" })
    const saved = await world.snapshot()
    await requestDemo(world, "POST", "/session/password", { token, password: "a password of Jo" })
    const afterwards = await world.snapshot()
    for (const secret of [token, digital.code, "a password of Jo", "redeemUrl"]) {
      expect(textOf(saved)).not.toContain(secret)
      expect(textOf(afterwards)).not.toContain(secret)
    }
    const { world: later } = await openWorld(structuredClone(saved))
    expect(later.sandbox.store.orders.get(digital.id)).toMatchObject({
      status: "cancelled",
      code: digital.code,
    })
  })

  it.each([
    ["damaged", { version: 1, what: "else" }],
    ["of another version", { version: 0 }],
    ["text", "something"],
    [
      "a damaged database",
      {
        version: 5,
        session: null,
        sandbox: [],
        store: new Uint8Array(9),
      },
    ],
  ])("starts afresh when it is %s", async (_, saved) => {
    const { world } = await openWorld(saved)
    expect(world.session).toBeUndefined()
    expect(world.sandbox.store.members.count).toBe(2000)
  })

  it("begins again when one record in it is damaged", async () => {
    const { world } = await changedWorld()
    const saved = await world.snapshot()
    const sandbox = saved.sandbox.map((change) =>
      change.kind === "member" ? { kind: change.kind, id: change.id, value: { id: 7 } } : change,
    )
    expect((await openWorld({ ...saved, sandbox })).world.session).toBeUndefined()
  })
})

/** The fault of each switch, caused by a page's request to each service. */
const switches = [
  ["slow", "program", "GET /v1/members", "slow"],
  ["offline", "program", "GET /v1/orders", "unreachable"],
  ["write-drop-after", "program", "POST /v1/points/award", "drop-after"],
  ["conflict", "program", "GET /v1/members/mem_8Fq2Lx41", "changed-before"],
  ["conflict", "program", "GET /v1/orders/ord_20398", "changed-before"],
  ["cards-fund", "giftcard", "POST /api/v1/external/gift-cards", "empty-fund"],
  ["cards-slow", "giftcard", "GET /api/v1/external/gift-cards/gc_1", "slow"],
  ["cards-offline", "giftcard", "GET /api/v1/external/gift-cards/gc_1", "unreachable"],
  ["cards-lost", "giftcard", "POST /api/v1/external/gift-cards", "drop-after"],
] as const

describe("a fault that is switched on", () => {
  let opened: ReturnType<typeof openWorld> | undefined

  it.each(switches)(
    "%s affects only its service (%s, %s), and nothing once it is off",
    async (id, api, line, kind) => {
      const { world } = await (opened ??= openWorld())
      const [method = "", path = ""] = line.split(" ")
      const struck = (service: "program" | "giftcard") =>
        world.sandbox.faults.strike({ api: service, method, path })?.kind
      expect(struck(api)).toBeUndefined()
      world.setFault(id, true)
      expect([struck(api), struck(api === "program" ? "giftcard" : "program")]).toEqual([kind, undefined])
      world.setFault(id, false)
      expect(struck(api)).toBeUndefined()
    },
  )
})
