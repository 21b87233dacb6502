import { newKey } from "../lib/new-key.ts"
import type { DraftStore } from "../lib/import-drafts.ts"
import { readWorkbook } from "./excel/workbook.ts"
import { createDraftSaver, loadRows, loadTable } from "./load-sheet.ts"
import type { RememberedMapping } from "./mapping.ts"
import { isWorkbook, parseTable, readFileText, Refusal, refuseTooLarge, type Table } from "./read-file.ts"
import type { Recipe, RecipeName, SheetFacts } from "./recipe.ts"
import { bookMatch } from "./recipes/book-match.ts"
import { giftcardRecipes } from "./recipes/gift-cards.ts"
import { memberRecipes } from "./recipes/members.ts"
import { pointsRecipes } from "./recipes/points.ts"
import { orderRecipes } from "./recipes/tracking-numbers.ts"
import type { SheetData } from "./sheet-data.ts"
import type {
  CellEdit,
  CellPlace,
  ImportSource,
  Mark,
  ReadingChoice,
  RowFilter,
  SheetView,
} from "./sheet-view.ts"
import { Sheet } from "./sheet.ts"

/** How the rows of each kind of file are read. */
const recipes: Readonly<Record<RecipeName, Recipe>> = {
  "book-match": bookMatch,
  ...giftcardRecipes,
  ...memberRecipes,
  ...orderRecipes,
  ...pointsRecipes,
}

/** The sheet after a change (null: none is open) and its job's Idempotency-Key; or why a file was refused. */
export type ChangeResult =
  | { readonly view: SheetView | null; readonly key: string; readonly keepsRows: boolean }
  | { readonly refusal: SourceRefusal }

/** Why rows were refused. `file`: the refused file; undefined for pasted rows and the open file. */
export interface SourceRefusal {
  readonly title: string
  readonly help: string
  readonly file?: string | undefined
  /** The sheets of the workbook to choose from. */
  readonly sheets?: readonly string[] | undefined
}

/** The calls that a page makes, without what is private. */
export type SheetCalls = { [K in keyof SheetWorker]: SheetWorker[K] }

const readingShare = 0.4

/** What an import is for, set by `start`. */
interface ImportSetup {
  readonly recipe: Recipe
  readonly draft: ReturnType<typeof createDraftSaver> | null
  /** Gets the share that was read, 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Holds the rows of an import, in a worker. `start` is called first; calls run one after the other. */
export class SheetWorker {
  private readonly drafts: DraftStore
  private readonly now: () => number
  private setup: ImportSetup | null = null
  private sheet: Sheet | null = null
  private key = newKey()
  private facts: SheetFacts = {}
  private source: Extract<ImportSource, { kind: "file" | "paste" }> | null = null
  private last: Promise<unknown> = Promise.resolve()

  constructor(drafts: DraftStore, now: () => number = Date.now) {
    this.drafts = drafts
    this.now = now
  }

  /** Without a user no draft is saved. */
  start(kind: RecipeName, userId: string | null, onProgress: (share: number) => void): void {
    const draft = userId === null ? null : createDraftSaver(this.drafts, recipes[kind], userId, this.now)
    this.setup = { recipe: recipes[kind], draft, onProgress }
  }

  private get recipe(): Recipe {
    if (this.setup === null) throw new Error("The import was not started.")
    return this.setup.recipe
  }

  private get draft(): ImportSetup["draft"] {
    return this.setup?.draft ?? null
  }

  restore() {
    return this.viewAfter(async () => {
      const draft = await this.draft?.restore()
      if (!draft) return
      this.key = draft.key
      this.show(draft.data)
    })
  }

  /** Opens rows in place of the current ones, which stay after a refusal. */
  open(from: ImportSource, remembered: readonly RememberedMapping[]) {
    const openRows = async () => {
      const before = this.source
      this.source = from.kind === "file" || from.kind === "paste" ? from : null
      try {
        const isTyped = from.kind === "rows" || from.kind === "blank"
        const recipe = from.kind === "rows" ? (this.recipe.edit ?? this.recipe) : this.recipe
        const chosen = from.kind === "file" && from.sheet !== undefined ? { sheet: from.sheet } : {}
        const data = isTyped ? loadRows(recipe, from) : await this.readSource(chosen, remembered)
        this.key = newKey()
        this.show(data)
        this.draft?.begin(data, this.key)
      } catch (error) {
        this.source = before
        throw error
      }
    }
    return this.viewAfter(openRows, false, from.kind === "file" ? from.file.name : undefined)
  }

  /** Reads the file again with another choice; earlier choices stay, edits are lost. */
  reread(chosen: ReadingChoice, remembered: readonly RememberedMapping[]) {
    return this.viewAfter(async () => {
      if (this.sheet === null) return
      const { origin, choices } = this.sheet.data
      const { delimiter, headerAt, guess, excel, style } = origin
      const encoding = guess === null ? origin.encoding : null
      // These give other rows, so the header is detected again.
      const changing = [
        chosen.delimiter,
        chosen.encoding,
        chosen.sheet,
        chosen.hiddenRows,
        chosen.hiddenColumns,
      ]
      const sameRows = changing.every((choice) => choice === undefined)
      const before = { encoding, delimiter, ...(excel && { ...excel, style }), ...(sameRows && { headerAt }) }
      const data = await this.readSource({ ...before, ...chosen }, remembered)
      data.choices = choices
      this.show(data)
      this.draft?.begin(data, this.key)
    })
  }

  /** The job was started or the draft discarded: deletes the draft; the next one gets a new key. */
  clear() {
    return this.viewAfter(async () => {
      this.sheet = null
      this.source = null
      this.key = newKey()
      await this.draft?.drop()
    })
  }

  setFacts(facts: SheetFacts) {
    return this.viewAfter(() => {
      this.facts = facts
      this.sheet?.setFacts(facts)
    })
  }

  edit(changes: readonly CellEdit[]) {
    return this.change((sheet) => sheet.edit(changes))
  }

  paste(place: CellPlace, text: string) {
    return this.change((sheet) => sheet.paste(place, text))
  }

  map(column: number, field: string | null) {
    return this.change((sheet) => sheet.map(column, field))
  }

  fill(field: string, text: string) {
    return this.change((sheet) => sheet.fill(field, text))
  }

  chooseNone(field: string) {
    return this.change((sheet) => sheet.chooseNone(field))
  }

  addColumn(field: string) {
    return this.change((sheet) => sheet.addColumn(field))
  }

  decide(...args: Parameters<Sheet["decide"]>) {
    return this.change((sheet) => sheet.decide(...args))
  }

  keepConfirmed() {
    return this.change((sheet) => sheet.keepConfirmed())
  }

  remove(id: number) {
    return this.change((sheet) => sheet.remove(id))
  }

  addRow() {
    return this.change((sheet) => sheet.addRow())
  }

  undo() {
    return this.change((sheet) => sheet.undo())
  }

  mark(marks: readonly Mark[]) {
    return this.change((sheet) => sheet.mark(marks))
  }

  filter(filter: RowFilter) {
    return this.change((sheet) => sheet.show(filter), true)
  }

  setRepeats(repeats: SheetData["repeats"]) {
    return this.change((sheet) => sheet.setRepeats(repeats), true)
  }

  choose(patch: Readonly<Record<string, string>>) {
    return this.change((sheet) => sheet.choose(patch), true)
  }

  chooseFor(...args: Parameters<Sheet["chooseFor"]>) {
    return this.change((sheet) => sheet.chooseFor(...args), true)
  }

  window(from: number, count: number) {
    return this.read((sheet) => sheet.window(from, count))
  }

  next(place: CellPlace, step: 1 | -1) {
    return this.read((sheet) => sheet.next(place, step))
  }

  memberNames(most: number) {
    return this.read((sheet) => sheet.memberNames(most))
  }

  accepted(offset: number, limit: number) {
    return this.read((sheet) => sheet.accepted(offset, limit))
  }

  excludedNumbers() {
    return this.read((sheet) => sheet.excludedNumbers())
  }

  comparable(...args: Parameters<Sheet["comparable"]>) {
    return this.read((sheet) => sheet.comparable(...args))
  }

  entries(offset: number, limit: number) {
    return this.read((sheet) => sheet.entries(offset, limit))
  }

  excludedTable() {
    return this.read((sheet) => sheet.excludedTable())
  }

  fingerprint() {
    return this.read((sheet) => sheet.fingerprint())
  }

  /** The names of this recipe's columns. */
  async columnNames(): Promise<readonly string[]> {
    return this.recipe.fields.map(({ label }) => label)
  }

  flush(): Promise<void> {
    return this.inTurn(() => this.draft?.flush())
  }

  private inTurn<T>(run: () => T | Promise<T>): Promise<T> {
    const result = this.last.then(run)
    this.last = result.catch(() => {})
    return result
  }

  private viewAfter(
    run: () => void | Promise<void>,
    keepsRows = false,
    file?: string,
  ): Promise<ChangeResult> {
    return this.inTurn(async () => {
      try {
        await run()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { message: title, help, sheets } = error
        return { refusal: { title, help, file, sheets } }
      }
      return { view: this.sheet?.view() ?? null, key: this.key, keepsRows }
    })
  }

  private change(apply: (sheet: Sheet) => void, keepsRows = false): Promise<ChangeResult> {
    return this.viewAfter(() => {
      if (this.sheet === null) return
      apply(this.sheet)
      this.draft?.touch()
    }, keepsRows)
  }

  private read<T>(call: (sheet: Sheet) => T | Promise<T>): Promise<T> {
    return this.inTurn(() => {
      if (this.sheet === null) throw new Error("No file is open.")
      return call(this.sheet)
    })
  }

  private show(data: SheetData): void {
    data.facts = this.facts
    this.sheet = new Sheet(data, this.source !== null, (share) =>
      this.setup?.onProgress(readingShare + share * (1 - readingShare)),
    )
  }

  private async readSource(
    choice: ReadingChoice,
    remembered: readonly RememberedMapping[],
  ): Promise<SheetData> {
    const { source } = this
    const { headerAt, style } = choice
    const load = (
      table: Table,
      origin: Pick<SheetData["origin"], "name" | "guess" | "encoding">,
      numberStyle = style,
    ) => loadTable(this.recipe, table, { ...origin, remembered, headerAt, style: numberStyle })
    if (source === null) throw new Refusal("The file is no longer available.", "Choose it again.")
    if (source.kind === "file") {
      const { file } = source
      const onProgress = (share: number) => this.setup?.onProgress(share * readingShare)
      refuseTooLarge(file.size)
      if (await isWorkbook(file)) {
        const table = await readWorkbook(file, choice, onProgress)
        // Its numbers are written in the chosen style, so there is nothing to detect.
        return load(table, { name: file.name, encoding: null, guess: null }, style ?? ".")
      }
      const read = await readFileText(file, choice.encoding ?? undefined, onProgress)
      return load(parseTable(read.text, choice.delimiter), {
        name: file.name,
        encoding: read.encoding,
        guess: read.guess ?? null,
      })
    }
    refuseTooLarge(source.text.length)
    if (source.text.trim() === "")
      throw new Refusal("There was nothing to paste.", "Copy cells in your spreadsheet first.")
    return load(parseTable(source.text, choice.delimiter), {
      name: "Pasted rows",
      encoding: "utf-8",
      guess: null,
    })
  }
}
