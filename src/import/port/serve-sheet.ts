import type { DraftStore } from "../draft/draft-store.ts"
import { createSheetMachine, type SheetMachine } from "./sheet-machine.ts"
import type { FromSheet, ToSheet } from "./sheet-port.ts"

/** The sheet's side of a port: takes messages, and posts what comes of them. */
export function serveSheet(
  post: (message: FromSheet) => void,
  drafts: DraftStore,
): (message: ToSheet) => void {
  let machine: SheetMachine | null = null

  async function answer(id: number, run: () => Promise<FromSheet>): Promise<void> {
    try {
      post(await run())
    } catch (error) {
      post({ type: "failed", id, message: error instanceof Error ? error.message : "Something went wrong." })
    }
  }

  return (message) => {
    if (message.type === "start") {
      const { recipe, userId } = message
      machine = createSheetMachine({
        recipe,
        userId,
        drafts,
        now: Date.now,
        onProgress: (share) => post({ type: "progress", share }),
      })
      return
    }
    const { id, command } = message
    const started = machine
    if (started === null) return
    void answer(id, async () => ({ type: "result", id, result: await started(command) }))
  }
}
