import { passingDrafts, type DraftStore } from "../draft/draft-store.ts"
import { serveSheet } from "./serve-sheet.ts"
import type { SheetPort } from "./sheet-port.ts"

/** The sheet beside the page, without a worker: where there is none, as in tests. What is posted is copied all the same. */
export function inlinePort(drafts: DraftStore = passingDrafts()): SheetPort {
  let onMessage: Parameters<SheetPort["listen"]>[0] | null = null
  const serve = serveSheet((message) => onMessage?.(structuredClone(message)), drafts)
  return {
    send: serve,
    listen(listener) {
      onMessage = listener
    },
    close() {
      onMessage = null
    },
  }
}
