import { createDraftKeeper } from "../draft/draft-keeper.ts"
import type { DraftStore } from "../draft/draft-store.ts"
import type { RememberedMapping } from "../mapping/mapping-memory.ts"
import { parseTable } from "../read/parse-table.ts"
import { readText, refuseTooLarge, type ReadText } from "../read/read-text.ts"
import { Refusal } from "../read/refusal.ts"
import { findRecipe, type RecipeName } from "../recipes/find-recipe.ts"
import type { SheetFacts } from "../recipes/recipe.ts"
import { blankSheet, loadRows } from "../sheet/load-rows.ts"
import { loadTable } from "../sheet/load-table.ts"
import type { ImportSource, ReadingChoice, SheetCommand, SheetResult } from "../sheet/sheet-command.ts"
import type { SheetData } from "../sheet/sheet-data.ts"
import { createSheet, type Sheet } from "../sheet/sheet.ts"
import { askSheet } from "./ask-sheet.ts"
import { changeSheet } from "./change-sheet.ts"
import { newKey } from "./new-key.ts"

interface MachineOptions {
  readonly recipe: RecipeName
  readonly userId: string
  readonly drafts: DraftStore
  /** ms since 1970. */
  readonly now: () => number
  /** Told the share of the work that is done, 0 to 1, while a file is read. */
  readonly onProgress: (share: number) => void
}

/** Carries out what a page asks, one after the other. */
export type SheetMachine = (command: SheetCommand) => Promise<SheetResult>

/** Reading takes this share of the work, checking the rest. */
const readingShare = 0.4

/** Makes the part of an import that holds the rows. It runs in a worker; in tests, beside the page. */
export function createSheetMachine({
  recipe: name,
  userId,
  drafts,
  now,
  onProgress,
}: MachineOptions): SheetMachine {
  const recipe = findRecipe(name)
  const keeper = createDraftKeeper({ store: drafts, recipe, userId, now })
  let sheet: Sheet | null = null
  let key = newKey()
  let facts: SheetFacts = {}
  let source: Extract<ImportSource, { kind: "file" | "paste" }> | null = null

  const viewed = (): SheetResult => ({ type: "view", view: sheet?.view() ?? null, key })

  function opened(data: SheetData): SheetResult {
    data.facts = facts
    sheet = createSheet(data, source !== null, (share) =>
      onProgress(readingShare + share * (1 - readingShare)),
    )
    keeper.begin(data, key)
    return viewed()
  }

  async function textOf(
    from: ImportSource & { kind: "file" | "paste" },
    choice: ReadingChoice,
  ): Promise<ReadText> {
    if (from.kind === "file")
      return readText(from.file, choice.encoding, (share) => onProgress(share * readingShare))
    refuseTooLarge(from.text.length)
    if (from.text.trim() === "")
      throw new Refusal("There was nothing to paste.", "Copy cells in your spreadsheet first.")
    return { text: from.text, encoding: "utf-8" }
  }

  async function read(choice: ReadingChoice, remembered: readonly RememberedMapping[]): Promise<SheetData> {
    if (source === null) throw new Refusal("The file is no longer available.", "Choose it again.")
    const { text, encoding } = await textOf(source, choice)
    return loadTable({
      recipe,
      name: source.kind === "file" ? source.file.name : "Pasted rows",
      table: parseTable(text, choice.delimiter),
      encoding,
      remembered,
      header: choice.header,
      style: choice.decimal,
    })
  }

  async function open(from: ImportSource, remembered: readonly RememberedMapping[]): Promise<SheetResult> {
    if (from.kind === "blank" || from.kind === "rows") {
      source = null
      key = newKey()
      const numbers = from.kind === "rows" ? (from.numbers ?? from.rows.map((_, at) => at + 1)) : []
      const result = opened(
        from.kind === "blank" ? blankSheet(recipe) : loadRows({ ...from, recipe, numbers }),
      )
      if (from.kind !== "rows" || from.marks === undefined) return result
      sheet?.mark(from.marks)
      return viewed()
    }
    const before = source
    source = from
    try {
      const data = await read({}, remembered)
      key = newKey()
      return opened(data)
    } catch (error) {
      source = before
      throw error
    }
  }

  /** Reads the file once more in the way a person chose; what was chosen before stays. */
  async function reread(
    change: ReadingChoice,
    remembered: readonly RememberedMapping[],
  ): Promise<SheetResult> {
    const origin = sheet?.data.origin
    if (origin === undefined) return viewed()
    const choice: ReadingChoice = {
      ...(origin.encoding === null ? {} : { encoding: origin.encoding }),
      delimiter: origin.delimiter,
      // Another delimiter or encoding gives other rows: the names are looked for again.
      ...(change.delimiter === undefined && change.encoding === undefined ? { header: origin.headerAt } : {}),
      ...change,
    }
    const data = await read(choice, remembered)
    return opened({ ...data, choices: sheet?.data.choices ?? {} })
  }

  async function run(command: SheetCommand): Promise<SheetResult> {
    switch (command.type) {
      case "restore": {
        const draft = await keeper.restore()
        if (draft === null) return viewed()
        key = draft.key
        draft.data.facts = facts
        sheet = createSheet(draft.data, false, onProgress)
        return viewed()
      }
      case "open":
        return open(command.source, command.remembered)
      case "reread":
        return reread(command.change, command.remembered)
      case "clear":
        sheet = null
        source = null
        key = newKey()
        await keeper.drop()
        return viewed()
      case "know":
        facts = command.facts
        sheet?.know(facts)
        return viewed()
      case "flush":
        await keeper.flush()
        return { type: "done" }
      default:
        if (sheet === null) return viewed()
        if (!changeSheet(sheet, command)) return askSheet(sheet, command)
        keeper.touch()
        return viewed()
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (command) => {
    const result = last
      .then(() => run(command))
      .catch((error: unknown): SheetResult => {
        if (error instanceof Refusal) return { type: "refused", title: error.message, help: error.help }
        throw error
      })
    last = result.catch(() => {})
    return result
  }
}
