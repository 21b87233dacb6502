import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { canStore, startWorker } from "./service-worker.ts"

const never = new Promise<never>(() => {})
const respond = async () => new Response()

/** A page that has already been reloaded for its worker. */
function stubPage(serviceWorker: object): void {
  vi.stubGlobal("navigator", { serviceWorker })
  vi.stubGlobal("sessionStorage", { getItem: () => "1", removeItem() {} })
}

describe("service worker of the demo", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ["does not register again", { controller: {}, active: {} }],
    ["is never installed", { controller: null, active: null }],
  ])("is blocked after 15 s when it %s", async (_, { controller, active }) => {
    stubPage({ controller, getRegistration: async () => ({ active }), register: () => never, ready: never })
    const problem = startWorker(respond)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await problem).toBe(false)
  })

  it("is blocked when it is installed but does not control the page", async () => {
    stubPage({ controller: null, getRegistration: async () => ({ active: {} }), ready: never })
    expect(await startWorker(respond)).toBe(false)
  })

  it("is blocked where cookies and site data are blocked", () => {
    vi.stubGlobal("window", { isSecureContext: true })
    stubPage({})
    // Undefined in Node: accessing it throws, as in a browser that blocks it.
    expect(canStore()).toBe(false)
    vi.stubGlobal("localStorage", {})
    expect(canStore()).toBe(true)
  })
})
