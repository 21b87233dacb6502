import type { DraftStore } from "../../../src/lib/import-drafts.ts"
import type { RecipeName } from "../../../src/import/recipe.ts"
import { type ChangeResult, type SheetCalls, SheetWorker } from "../../../src/import/sheet-worker.ts"
import type { ImportSource, RowView, SheetView } from "../../../src/import/sheet-view.ts"
import { memoryDrafts } from "./memory-drafts.ts"

/** A sheet without a worker. */
export interface TestSheet {
  readonly run: SheetCalls
  /** The view after a change; throws on a refusal. */
  readonly view: (change: (sheet: SheetCalls) => Promise<ChangeResult>) => Promise<SheetView>
  readonly rows: () => Promise<readonly RowView[]>
  readonly accepted: () => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly open: (source: ImportSource) => Promise<SheetView>
  readonly paste: (text: string) => Promise<SheetView>
  /** Problem texts of each row that has problems, by row number. */
  readonly findings: () => Promise<Readonly<Record<number, readonly string[]>>>
}

interface TestOptions {
  readonly drafts?: DraftStore
  readonly userId?: string
  readonly now?: () => number
}

/** Creates the sheet worker of a kind of job. */
export function testSheet(
  kind: RecipeName,
  { drafts = memoryDrafts(), userId = "usr_1", now = Date.now }: TestOptions = {},
): TestSheet {
  const run = new SheetWorker(drafts, now)
  run.start(kind, userId, () => {})

  async function view(change: (sheet: SheetCalls) => Promise<ChangeResult>): Promise<SheetView> {
    const result = await change(run)
    if ("refusal" in result) throw new Error(result.refusal.title)
    if (result.view === null) throw new Error("Nothing is open.")
    return result.view
  }

  const rows = () => run.window(0, 1_000_000)
  const open = (source: ImportSource) => view((sheet) => sheet.open(source, []))
  return {
    run,
    view,
    rows,
    open,
    paste: (text) => open({ kind: "paste", text }),
    accepted: async () => (await run.accepted(0, 1_000_000)).map(({ row }) => row),
    async findings() {
      const flagged = (await rows()).filter((row) => row.problems.length > 0)
      return Object.fromEntries(flagged.map((row) => [row.number, row.problems.map(({ text }) => text)]))
    },
  }
}
