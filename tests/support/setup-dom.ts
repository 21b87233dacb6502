import "@testing-library/jest-dom/vitest"
import { cleanup, configure } from "@testing-library/react"
import { afterEach } from "vitest"
import * as z from "zod/mini"

// A busy machine is no fault: what is waited for comes, or a test fails by what it says, not by the clock.
configure({ asyncUtilTimeout: 25_000 })

/** What jsdom lacks and the desk's components ask for. As in the browser, zod makes no code at run time. */
z.config({ jitless: true })

afterEach(() => {
  cleanup()
  localStorage.clear()
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

define(
  "IntersectionObserver",
  class {
    observe() {}
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
        import("../../src/import/draft.ts"),
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
