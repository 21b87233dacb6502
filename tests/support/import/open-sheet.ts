import { passingDrafts, type DraftStore } from "../../../src/import/draft/draft-store.ts"
import { createSheetMachine, type SheetMachine } from "../../../src/import/port/sheet-machine.ts"
import type { RecipeName } from "../../../src/import/recipes/find-recipe.ts"
import type { ImportSource, SheetCommand, SheetResult } from "../../../src/import/sheet/sheet-command.ts"
import type { RowView, SheetView } from "../../../src/import/sheet/sheet-view.ts"

/** A sheet as a test asks it: every answer is the one that is due, or the test fails. */
export interface TestSheet {
  readonly run: SheetMachine
  readonly view: (command: SheetCommand) => Promise<SheetView>
  readonly rows: () => Promise<readonly RowView[]>
  readonly accepted: () => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly open: (source: ImportSource) => Promise<SheetView>
  readonly paste: (text: string) => Promise<SheetView>
  /** What the marked cells of each row say, by the row's number. */
  readonly findings: () => Promise<Readonly<Record<number, readonly string[]>>>
}

interface TestOptions {
  readonly drafts?: DraftStore
  readonly userId?: string
  readonly now?: () => number
}

/** Makes the part of an import that holds the rows, without a worker. */
export function testSheet(
  recipe: RecipeName,
  { drafts = passingDrafts(), userId = "usr_1", now = Date.now }: TestOptions = {},
): TestSheet {
  const run = createSheetMachine({ recipe, userId, drafts, now, onProgress: () => {} })

  async function view(command: SheetCommand): Promise<SheetView> {
    const result = await run(command)
    if (result.type !== "view" || result.view === null) throw new Error(refusalOf(result))
    return result.view
  }

  async function rows(): Promise<readonly RowView[]> {
    const result = await run({ type: "window", from: 0, count: 1_000_000 })
    if (result.type !== "rows") throw new Error(refusalOf(result))
    return result.rows
  }

  const open = (source: ImportSource) => view({ type: "open", source, remembered: [] })
  return {
    run,
    view,
    rows,
    open,
    paste: (text) => open({ kind: "paste", text }),
    async accepted() {
      const result = await run({ type: "accepted", offset: 0, limit: 1_000_000 })
      if (result.type !== "accepted") throw new Error(refusalOf(result))
      return result.accepted.rows
    },
    async findings() {
      const marked = (await rows()).filter((row) => row.problems.length > 0)
      return Object.fromEntries(marked.map((row) => [row.number, row.problems.map(({ text }) => text)]))
    },
  }
}

function refusalOf(result: SheetResult): string {
  return result.type === "refused" ? result.title : `Answered with ${result.type}.`
}
