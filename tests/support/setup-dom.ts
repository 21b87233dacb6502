import "@testing-library/jest-dom/vitest"
import { onlineManager } from "@tanstack/react-query"
import { cleanup, configure, getConfig, prettyDOM } from "@testing-library/react"
import * as React from "react"
import { afterEach, beforeEach } from "vitest"
import * as z from "zod/mini"

// Generous, so that a busy machine does not fail a test.
configure({
  asyncUtilTimeout: 25_000,
  // Every failed attempt of a `waitFor` creates an error; only the last one prints the page.
  getElementError(message, container) {
    const config = getConfig()
    const waits =
      "_disableExpensiveErrorDiagnostics" in config && config._disableExpensiveErrorDiagnostics === true
    const error = new Error(waits ? (message ?? "") : `${message ?? ""}\n\n${prettyDOM(container)}`)
    error.name = "TestingLibraryElementError"
    return error
  },
})
// React captures a stack for each of 10,000 elements a second, a sixth of the time of a page's test. Warnings do not
// need them.
Error.stackTraceLimit = 10
const internals: unknown = Reflect.get(
  React,
  "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE",
)
if (typeof internals === "object" && internals !== null) {
  Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => 10_000, set: () => {} })
}

/** No generated code at run time, as under the app's CSP. */
z.config({ jitless: true })

afterEach(() => {
  // Unmount before clearing the storage: a mounted form would save its draft again.
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

// Test files share their modules, so reset their state.
beforeEach(async () => {
  const [shell, request, events, changed, stock, budget, files, { showTimesIn }] = await Promise.all([
    import("../../src/shell/shell-state.ts"),
    import("../../src/api/request.ts"),
    import("../../src/api/events.ts"),
    import("../../src/lib/recent-records.ts"),
    import("../../src/api/session.ts"),
    import("../../src/lib/request-budget.ts"),
    import("../../src/lib/table-file.ts"),
    import("../../src/lib/time.ts"),
  ])
  shell.useShellOverlay.setState({ overlay: null })
  request.useSessionStatus.setState({ hasEnded: false })
  events.useLiveUpdates.setState({ isLive: false })
  changed.useChangedRecords.setState({ ids: new Set() })
  stock.useLowStock.setState({ level: 10 })
  budget.useRequestBudget.setState({ limits: { program: 60, giftcard: 60 } })
  files.saveFileFormat("comma")
  onlineManager.setOnline(true)
  showTimesIn(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

/** Not `vi.stubGlobal`: those are removed when a test unstubs its own. */
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

/** jsdom has no layout: everything observed is in view. */
define(
  "IntersectionObserver",
  class {
    readonly onIntersect: (entries: readonly { isIntersecting: boolean }[]) => void
    constructor(onIntersect: (entries: readonly { isIntersecting: boolean }[]) => void) {
      this.onIntersect = onIntersect
    }
    observe() {
      queueMicrotask(() => this.onIntersect([{ isIntersecting: true }]))
    }
    unobserve() {}
    disconnect() {}
  },
)

/** A stream without events; tests of events replace it. */
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

/** Opens and closes the dialog; the top layer and focus are covered by browser tests. */
Object.assign(window.HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true
  },
  close(this: HTMLDialogElement) {
    this.open = false
  },
})

/** Runs the import worker on the page's thread, with in-memory drafts; loaded on first use. */
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
 * Popovers open and close by their buttons, by Escape and by an outside click, and fire `toggle`; position and top
 * layer are covered by browser tests.
 */
const openPopovers = new Map<HTMLElement, Element | null>()

function togglePopover(panel: HTMLElement, open: boolean, opener: Element | null = null): void {
  if (open === openPopovers.has(panel)) return
  if (open) openPopovers.set(panel, opener)
  else openPopovers.delete(panel)
  // jsdom's default stylesheet hides every popover.
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
