import { passingDrafts, type DraftStore } from "../draft/draft-store.ts"
import { serveSheet } from "./serve-sheet.ts"
import type { SheetPort } from "./sheet-port.ts"

/** The sheet beside the page, without a worker: where there is none, as in tests. What is posted is copied all the same. */
export function inlinePort(drafts: DraftStore = passingDrafts()): SheetPort {
  let closed = false
  let onMessage: Parameters<SheetPort["listen"]>[0] = () => {}
  const serve = serveSheet((message) => {
    if (!closed) onMessage(structuredClone(message))
  }, drafts)
  return {
    send: serve,
    listen(listener) {
      onMessage = listener
    },
    close() {
      closed = true
    },
  }
}
