import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { requestDemo, openWorld, signInAs } from "../../tests/support/demo/demo-request.ts"
import { heartbeat } from "../../contract/status.ts"
import { handleApiRequest } from "./api-handler.ts"
import { readStreamsHere, startWorker, windowProblem } from "./service-worker.ts"

const never = new Promise<never>(() => {})
const respond = async () => new Response()

/** A page that has already been reloaded for its worker. */
function stubPage(serviceWorker: object): void {
  vi.stubGlobal("navigator", { serviceWorker })
  vi.stubGlobal("sessionStorage", { getItem: () => "1", removeItem() {} })
}

describe("the demo's service worker", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ["of a controlled page is never put back", { controller: {}, active: {} }],
    ["never ends being installed", { controller: null, active: null }],
  ])("is waited for in vain for 15 s when it %s", async (_, { controller, active }) => {
    stubPage({ controller, getRegistration: async () => ({ active }), register: () => never, ready: never })
    const problem = startWorker(respond)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await problem).toBe("blocked")
  })

  it("passes a page by when it is installed without controlling it", async () => {
    stubPage({ controller: null, getRegistration: async () => ({ active: {} }), ready: never })
    expect(await startWorker(respond)).toBe("bypassed")
  })

  it("is blocked where cookies and site data are", () => {
    vi.stubGlobal("window", { isSecureContext: true })
    stubPage({})
    // Undefined in Node: accessing it throws, as in a browser that blocks it.
    expect(windowProblem()).toBe("blocked")
    vi.stubGlobal("localStorage", {})
    expect(windowProblem()).toBeUndefined()
  })
})

describe("a browser that cannot hand a stream to a worker", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("receives events from its page until the session ends", async () => {
    const { world } = await openWorld()
    await signInAs(world, "viewer")
    const NativeEventSource = vi.fn<() => void>()
    const page = { location: { href: "http://demo.test/" }, EventSource: NativeEventSource }
    vi.stubGlobal("window", page)
    const respond = (request: Request) => handleApiRequest(world, request)
    readStreamsHere(respond)
    expect(page.EventSource).toBe(NativeEventSource)
    vi.stubGlobal("structuredClone", () => {
      throw new DOMException("A stream cannot be transferred.", "DataCloneError")
    })
    readStreamsHere(respond)
    const source = Reflect.construct(page.EventSource, ["/api/events"]) as EventSource
    const messages: unknown[] = []
    const hears = (what: string) =>
      vi.waitFor(() => expect(messages).toContainEqual(expect.stringContaining(what)), { timeout: 60_000 })
    source.addEventListener("message", ({ data }) => messages.push(data))
    await hears(heartbeat.data)
    world.events.publish({ topic: "members", id: "" })
    await hears('"members"')
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    source.addEventListener("error", () => resolve())
    await requestDemo(world, "DELETE", "/session")
    await ended
    expect(source.readyState).toBe(2)
  })
})
