import "@testing-library/jest-dom/vitest"
import { onlineManager } from "@tanstack/react-query"
import { cleanup, configure, getConfig, prettyDOM } from "@testing-library/react"
import { afterEach, beforeEach } from "vitest"
import * as z from "zod/mini"

// A busy machine is no fault: what is waited for comes, or a test fails by what it says, not by the clock.
configure({
  asyncUtilTimeout: 25_000,
  // Each look of a wait that finds nothing yet makes an error: only the last one shows the whole page.
  getElementError(message, container) {
    const config = getConfig()
    const waits =
      "_disableExpensiveErrorDiagnostics" in config && config._disableExpensiveErrorDiagnostics === true
    const error = new Error(waits ? (message ?? "") : `${message ?? ""}\n\n${prettyDOM(container)}`)
    error.name = "TestingLibraryElementError"
    return error
  },
})
// React keeps where each element was made: far fewer frames than Node keeps for it are told.
Error.stackTraceLimit = 10

/** What jsdom lacks and Laurel's components ask for. As in the browser, zod makes no code at run time. */
z.config({ jitless: true })

afterEach(() => {
  // Before the storage is emptied: a form that is still there would keep its draft again.
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

// Files share their modules: what they keep is as at its start, whatever came late of the test before.
beforeEach(async () => {
  const [{ overlay }, { sessionEnded }, { isLive }, { showTimesIn }, values] = await Promise.all([
    import("../../src/shell/shell-state.ts"),
    import("../../src/api/request.ts"),
    import("../../src/api/events.ts"),
    import("../../src/lib/time.ts"),
    import("../../src/lib/external-value.ts"),
  ])
  overlay.set(null)
  values.justChanged.set(new Set())
  values.lowStock.set(10)
  values.requestLimits.set({ program: 60, giftcard: 60 })
  onlineManager.setOnline(true)
  sessionEnded.set(false)
  isLive.set(false)
  showTimesIn(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

/** Not a stub of Vitest's: those go when a test takes its own away. */
function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

define("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
}))

define(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)

/** There is no layout here: whatever is watched is in view. */
define(
  "IntersectionObserver",
  class {
    readonly seen: (entries: readonly { isIntersecting: boolean }[]) => void
    constructor(seen: (entries: readonly { isIntersecting: boolean }[]) => void) {
      this.seen = seen
    }
    observe() {
      queueMicrotask(() => this.seen([{ isIntersecting: true }]))
    }
    unobserve() {}
    disconnect() {}
  },
)

/** A stream on which nothing comes; tests of events bring their own. */
define(
  "EventSource",
  class extends EventTarget {
    static readonly CLOSED = 2
    readonly readyState = 1
    close() {}
  },
)

window.HTMLElement.prototype.scrollIntoView = () => {}
window.scrollTo = () => {}
window.HTMLElement.prototype.scrollTo = () => {}
Object.defineProperty(document, "fonts", {
  value: Object.assign(new EventTarget(), { ready: Promise.resolve() }),
  configurable: true,
})

/** Open, a dialog is shown; that it stands above everything else, and gives the focus back, only a browser knows. */
Object.assign(window.HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true
  },
  close(this: HTMLDialogElement) {
    this.open = false
  },
})

/** The worker of an import runs beside the page, with drafts that last as long as it; loaded where a page opens one. */
define(
  "Worker",
  class extends EventTarget {
    readonly #inside = this.#load()
    async #load() {
      const [{ inlineWorker }, { memoryDrafts }] = await Promise.all([
        import("./import/inline-worker.ts"),
        import("./import/memory-drafts.ts"),
      ])
      const inside = new (inlineWorker(memoryDrafts()))()
      inside.addEventListener("message", (event) => {
        if (event instanceof MessageEvent)
          this.dispatchEvent(new MessageEvent("message", { data: event.data }))
      })
      return inside
    }
    postMessage(message: unknown): void {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target origin
      void this.#inside.then((inside) => inside.postMessage(message))
    }
    terminate(): void {}
  },
)

/**
 * Popovers open and close by their buttons, by Escape and by a press elsewhere, and tell it; where they stand and that
 * they lie above everything else only a browser knows.
 */
const openPopovers = new Map<HTMLElement, Element | null>()

function togglePopover(panel: HTMLElement, open: boolean, opener: Element | null = null): void {
  if (open === openPopovers.has(panel)) return
  if (open) openPopovers.set(panel, opener)
  else openPopovers.delete(panel)
  // jsdom's own sheet hides every popover.
  panel.style.display = open ? "block" : ""
  const event = new Event("toggle")
  Object.assign(event, { newState: open ? "open" : "closed", oldState: open ? "closed" : "open" })
  panel.dispatchEvent(event)
}

Object.assign(window.HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    togglePopover(this, true)
  },
  hidePopover(this: HTMLElement) {
    const opener = openPopovers.get(this)
    const inside = this.contains(document.activeElement)
    togglePopover(this, false)
    if (inside && opener instanceof HTMLElement) opener.focus()
  },
})

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.closest("[popovertarget]")
  const panel = document.getElementById(button?.getAttribute("popovertarget") ?? "")
  for (const other of openPopovers.keys()) {
    if (other !== panel && other.getAttribute("popover") === "auto" && !other.contains(target))
      togglePopover(other, false)
  }
  if (panel !== null) togglePopover(panel, !openPopovers.has(panel), button)
})
document.addEventListener("keydown", ({ key }) => {
  const last = [...openPopovers.keys()].findLast((panel) => panel.isConnected)
  if (key === "Escape") last?.hidePopover()
})
