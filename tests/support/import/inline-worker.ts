import { expose } from "comlink"
import type { DraftStore } from "../../../src/lib/import-drafts.ts"
import { SheetWorker } from "../../../src/import/sheet-worker.ts"

/**
 * The import worker on the page's thread, since jsdom has no workers. Messages from the worker are cloned as between
 * threads; messages from the page are not, because jsdom cannot clone its files.
 */
export function inlineWorker(drafts: DraftStore) {
  return class extends EventTarget {
    readonly #inside = new EventTarget()

    constructor() {
      super()
      expose(new SheetWorker(drafts), {
        addEventListener: this.#inside.addEventListener.bind(this.#inside),
        removeEventListener: this.#inside.removeEventListener.bind(this.#inside),
        postMessage: (data: unknown, transfer: Transferable[] = []) =>
          this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data, { transfer }) })),
      })
    }

    postMessage(data: unknown): void {
      queueMicrotask(() => this.#inside.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate(): void {}
  }
}
