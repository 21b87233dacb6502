import { describe, expect, it, vi } from "vitest"
import * as z from "zod"
import { budgetHeader, readBudget } from "../../contract/response.ts"
import { requestDemo, openWorld, signInAs } from "../../tests/support/demo/demo-request.ts"
import { eventSourceOf, handleApiRequest } from "./api-handler.ts"

const member = z.looseObject({ id: z.string(), phone: z.string().optional() })

describe("the demo's door", () => {
  it("offers its people on the sign-in page and says that it is the sandbox", async () => {
    const { world } = await openWorld()
    const { data } = await requestDemo(world, "GET", "/about")
    expect(data).toMatchObject({ environment: "sandbox", set_up_needed: false })
    expect(data).toHaveProperty("demo_accounts.length", 4)
  })

  it("refuses a wrong password with the server's code and writes it into the audit log", async () => {
    const { world } = await openWorld()
    const refused = await requestDemo(world, "POST", "/session", {
      email: "admin@laurel.demo",
      password: "no",
    })
    expect(refused).toMatchObject({ status: 401, code: "wrong_credentials" })
    await signInAs(world, "admin")
    const { data } = await requestDemo(world, "GET", "/audit")
    expect(JSON.stringify(data)).toContain("session.sign_in_refused")
  })

  it("rejects signed-out requests", async () => {
    const { world } = await openWorld()
    expect(await requestDemo(world, "GET", "/program/members")).toMatchObject({
      status: 401,
      code: "session_required",
    })
    expect(await requestDemo(world, "GET", "/session")).toMatchObject({ status: 401 })
    await signInAs(world, "viewer")
    const ofAnother = { "X-Laurel-User": "somebody-else" }
    expect(await requestDemo(world, "GET", "/session", undefined, ofAnother)).toMatchObject({ status: 401 })
  })

  it("lists this tab's session as the only one", async () => {
    const { world } = await openWorld()
    await signInAs(world, "viewer")
    const { data } = await requestDemo(world, "GET", "/session/list")
    expect(data).toMatchObject([{ current: true, browser: navigator.userAgent }])
    expect((await requestDemo(world, "DELETE", "/session/list")).status).toBe(200)
    expect((await requestDemo(world, "GET", "/session")).status).toBe(200)
  })

  it("tells what is left of the budget with every response, as the server does", async () => {
    const { world } = await openWorld()
    await signInAs(world, "viewer")
    const { headers } = await requestDemo(world, "GET", "/program/members?per_page=3")
    const { data } = await requestDemo(world, "GET", "/status/budget")
    expect(data).toMatchObject(readBudget(headers.get(budgetHeader)) ?? [])
  })

  it("lets no change pass that does not come from Laurel's page", async () => {
    const { world } = await openWorld()
    expect(await requestDemo(world, "DELETE", "/session", undefined, {})).toMatchObject({
      status: 403,
      code: "guard_missing",
    })
  })

  it("refuses a body over 1 MB and one that is not JSON", async () => {
    const { world } = await openWorld()
    await signInAs(world, "admin")
    const note = "/notes/member/mem_1"
    expect(await requestDemo(world, "PUT", note, { text: "x".repeat(1_000_001) })).toMatchObject({
      status: 413,
    })
    const broken = new Request(`http://demo.test/api${note}`, {
      method: "PUT",
      body: "{",
      headers: { "X-Laurel": "1", "Content-Type": "application/json" },
    })
    expect((await handleApiRequest(world, broken)).status).toBe(400)
  })

  it("shows each role its own fields", async () => {
    const { world } = await openWorld()
    await signInAs(world, "admin")
    const all = z.array(member).parse((await requestDemo(world, "GET", "/program/members")).data)
    expect(all[0]?.phone).toBeDefined()
    await signInAs(world, "packer")
    const few = z.array(member).parse((await requestDemo(world, "GET", "/program/members")).data)
    expect(few[0]).not.toHaveProperty("phone")
    expect(few[0]).not.toHaveProperty("email")
  })

  it("returns the ETag, and 304 for a matching one", async () => {
    const { world } = await openWorld()
    await signInAs(world, "admin")
    const etag = (await requestDemo(world, "GET", "/program/members")).headers.get("ETag") ?? ""
    expect(etag).not.toBe("")
    expect(
      await requestDemo(world, "GET", "/program/members", undefined, { "If-None-Match": etag }),
    ).toMatchObject({ status: 304, data: undefined })
  })

  it("event source receives the events of the user's role until the session ends", async () => {
    const { world } = await openWorld()
    await signInAs(world, "viewer")
    const DemoEventSource = eventSourceOf(world)
    const source = new DemoEventSource()
    let text = ""
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const receives = (part: string) => vi.waitFor(() => expect(text).toContain(part), { timeout: 60_000 })
    source.addEventListener("message", (event) => {
      if (event instanceof MessageEvent) text += String(event.data)
    })
    source.addEventListener("error", () => resolve())
    await receives('"budget":[')
    world.events.publish({ topic: "users", id: "usr_helen" })
    world.events.publish({ topic: "members", id: "" })
    await receives('"members"')
    await requestDemo(world, "DELETE", "/session")
    await ended
    expect(source.readyState).toBe(2)
    expect(text).not.toContain('"users"')
  })

  it("closed event source reports no error", async () => {
    const { world } = await openWorld()
    await signInAs(world, "viewer")
    const DemoEventSource = eventSourceOf(world)
    const source = new DemoEventSource()
    const onError = vi.fn<() => void>()
    source.addEventListener("error", onError)
    const reading = vi.spyOn(world.auth.sessions, "read").mockRejectedValueOnce(new Error("closed store"))
    source.close()
    await vi.waitFor(() => expect(reading).toHaveBeenCalled(), { timeout: 60_000 })
    await requestDemo(world, "GET", "/about")
    expect(onError).not.toHaveBeenCalled()
  })
})

describe("users of the demo", () => {
  it("come in through a one-time link, which works once", async () => {
    const { world } = await openWorld()
    await signInAs(world, "admin")
    const made = await requestDemo(world, "POST", "/users", {
      name: "Jo Bell",
      email: "jo@laurel.demo",
      role: "viewer",
    })
    const { link } = z.looseObject({ link: z.object({ path: z.string() }) }).parse(made.data)
    const token = link.path.split("#token=")[1]
    expect(await requestDemo(world, "POST", "/session/link", { token })).toMatchObject({
      data: { purpose: "password", email: "jo@laurel.demo" },
    })
    const set = { token, password: "a password of Jo" }
    expect(await requestDemo(world, "POST", "/session/password", set)).toMatchObject({ status: 200 })
    expect(await requestDemo(world, "GET", "/session")).toMatchObject({ data: { user: { name: "Jo Bell" } } })
    expect(await requestDemo(world, "POST", "/session/password", set)).toMatchObject({ status: 404 })
    const again = { email: "jo@laurel.demo", password: "a password of Jo" }
    expect(await requestDemo(world, "POST", "/session", again)).toMatchObject({ status: 200 })
  })

  it("lose their session immediately when disabled; the last administrator cannot be disabled", async () => {
    const { world } = await openWorld()
    await signInAs(world, "admin")
    expect(await requestDemo(world, "PATCH", "/users/usr_helen", { disabled: true })).toMatchObject({
      status: 422,
    })
    expect(await requestDemo(world, "PATCH", "/users/usr_tom", { disabled: true })).toMatchObject({
      status: 200,
    })
    await expect(signInAs(world, "packer")).rejects.toThrow("401")
    const { data } = await requestDemo(world, "GET", "/about")
    expect(JSON.stringify(data)).not.toContain("packer@")
  })
})
