import { expose } from "comlink"
import type { DraftStore } from "../../../src/lib/import-drafts.ts"
import { createWorkerApi } from "../../../src/import/sheet-worker.ts"

/**
 * A worker of an import beside the page, where there are none (jsdom). What it posts is cloned as between threads; what
 * the page posts is not, because jsdom's files cannot be.
 */
export function inlineWorker(drafts: DraftStore) {
  return class extends EventTarget {
    readonly #inside = new EventTarget()

    constructor() {
      super()
      expose(createWorkerApi(drafts), {
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
