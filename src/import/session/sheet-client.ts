import type { RecipeName } from "../recipes/find-recipe.ts"
import type { SheetCommand, SheetResult } from "../sheet/sheet-command.ts"
import type { SheetPort } from "../port/sheet-port.ts"

/** Asks the sheet, and waits for what it says. */
export interface SheetClient {
  /** Rejects when the sheet is gone or met a defect of ours. */
  readonly ask: (command: SheetCommand) => Promise<SheetResult>
  /** Lets what was asked last be finished, then ends the sheet. */
  readonly close: () => void
}

interface ClientOptions {
  readonly openPort: () => Promise<SheetPort>
  readonly recipe: RecipeName
  readonly userId: string
  readonly onProgress: (share: number) => void
}

/** The sheet could not be asked: it did not start, or it was closed. */
export class SheetGone extends Error {
  override readonly name = "SheetGone"
}

interface Waiting {
  readonly resolve: (result: SheetResult) => void
  readonly reject: (error: Error) => void
}

/** Opens the sheet and numbers what is asked of it. */
export function createSheetClient({ openPort, recipe, userId, onProgress }: ClientOptions): SheetClient {
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let gone: SheetGone | null = null

  function giveUp(message: string): void {
    gone = new SheetGone(message)
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  }

  async function start(): Promise<SheetPort> {
    const opened = await openPort()
    opened.listen(
      (message) => {
        if (message.type === "progress") return onProgress(message.share)
        const asked = waiting.get(message.id)
        waiting.delete(message.id)
        if (message.type === "result") return asked?.resolve(message.result)
        asked?.reject(new Error(message.message))
      },
      () => giveUp("The file reader didn’t start."),
    )
    opened.send({ type: "start", recipe, userId })
    return opened
  }

  const port = start()

  function ask(command: SheetCommand): Promise<SheetResult> {
    return new Promise((resolve, reject) => {
      if (gone !== null) return reject(gone)
      const id = nextId
      nextId += 1
      waiting.set(id, { resolve, reject })
      port.then((open) => open.send({ type: "command", id, command }), reject)
    })
  }

  /** Commands are carried out one after the other: when the last is answered, nothing is under way. */
  async function finish(): Promise<void> {
    await ask({ type: "flush" }).catch(() => {})
    giveUp("The import was closed.")
    const opened = await port
    opened.close()
  }

  return {
    ask,
    close() {
      finish().catch(() => {})
    },
  }
}
