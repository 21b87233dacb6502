import { toCsv } from "../lib/csv.ts"
import { newKey } from "../lib/new-key.ts"
import type { DraftStore } from "../lib/import-drafts.ts"
import { createDraftSaver } from "./draft.ts"
import { loadRows, loadTable } from "./load-sheet.ts"
import type { RememberedMapping } from "./mapping.ts"
import { parseTable } from "./parse-table.ts"
import { readFileText, Refusal, refuseTooLarge } from "./read-file.ts"
import type { EncodingName, Recipe, SheetFacts } from "./recipe.ts"
import { giftcard } from "./recipes/gift-cards.ts"
import { memberCreate } from "./recipes/members.ts"
import { award, deduct, redeem } from "./recipes/points.ts"
import { orderEdit, orderUpdate } from "./recipes/tracking-numbers.ts"
import type { SheetData } from "./sheet-data.ts"
import type { ImportSource, ReadingChoice, SheetView } from "./sheet-view.ts"
import { createSheet, type Sheet } from "./sheet.ts"

/** Recipes by job kind; the last two are only used to edit rows of a job. */
export const recipes = {
  award,
  deduct,
  giftcard,
  "member-create": memberCreate,
  "order-update": orderUpdate,
  "order-edit": orderEdit,
  redeem,
} as const satisfies Readonly<Record<string, Recipe>>

export type RecipeName = keyof typeof recipes

/** The worker's API: `start` is called first and adds everything else. */
export function createWorkerApi(drafts: DraftStore) {
  const api = {
    start(recipe: RecipeName, userId: string | null, onProgress: (share: number) => void): void {
      const keeper = userId === null ? null : createDraftSaver(drafts, recipes[recipe], userId, Date.now)
      Object.assign(api, createSheetWorker(recipes[recipe], keeper, onProgress))
    },
  }
  return api
}

export type WorkerApi = ReturnType<typeof createWorkerApi> & SheetWorker

/** The sheet after a change (null: none is open) and its job's Idempotency-Key; or why a file was refused. */
export type ChangeResult =
  | { readonly view: SheetView | null; readonly key: string; readonly keepsRows: boolean }
  | { readonly refusal: SourceRefusal }

/** Why rows were refused. `file`: the refused file; undefined for pasted rows and the open file. */
export interface SourceRefusal {
  readonly title: string
  readonly help: string
  readonly file?: string | undefined
}

export type SheetWorker = ReturnType<typeof createSheetWorker>

const readingShare = 0.4

/** Holds the rows of an import; calls run one after the other. `onProgress`: share read, 0 to 1. */
export function createSheetWorker(
  recipe: Recipe,
  keeper: ReturnType<typeof createDraftSaver> | null,
  onProgress: (share: number) => void,
) {
  let sheet: Sheet | null = null
  let key = newKey()
  let facts: SheetFacts = {}
  let source: Extract<ImportSource, { kind: "file" | "paste" }> | null = null
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(run: () => T | Promise<T>): Promise<T> {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }

  function viewAfter(
    run: () => void | Promise<void>,
    keepsRows = false,
    file?: string,
  ): Promise<ChangeResult> {
    return inTurn(async () => {
      try {
        await run()
      } catch (error) {
        if (error instanceof Refusal) return { refusal: { title: error.message, help: error.help, file } }
        throw error
      }
      return { view: sheet?.view() ?? null, key, keepsRows }
    })
  }

  function change<A extends readonly unknown[]>(
    method: (open: Sheet) => (...args: A) => void,
    keepsRows = false,
  ) {
    return (...args: A) =>
      viewAfter(() => {
        if (sheet === null) return
        method(sheet)(...args)
        keeper?.touch()
      }, keepsRows)
  }

  /** Wraps a read of the open sheet; undefined while none is open. */
  function read<A extends readonly unknown[], T>(method: (open: Sheet) => (...args: A) => T | Promise<T>) {
    return (...args: A) =>
      inTurn(() => {
        if (sheet === null) throw new Error("No file is open.")
        return method(sheet)(...args)
      })
  }

  function show(data: SheetData): void {
    data.facts = facts
    sheet = createSheet(data, source !== null, (share) =>
      onProgress(readingShare + share * (1 - readingShare)),
    )
  }

  async function readSource(
    choice: ReadingChoice,
    remembered: readonly RememberedMapping[],
  ): Promise<SheetData> {
    const load = (
      text: string,
      how: Pick<SheetData["origin"], "name" | "guess"> & { encoding: EncodingName },
    ) => {
      const { delimiter, headerAt, style } = choice
      return loadTable(recipe, parseTable(text, delimiter), { ...how, remembered, headerAt, style })
    }
    if (source === null) throw new Refusal("The file is no longer available.", "Choose it again.")
    if (source.kind === "file") {
      const { file } = source
      const read = await readFileText(file, choice.encoding ?? undefined, (share) =>
        onProgress(share * readingShare),
      )
      return load(read.text, { name: file.name, encoding: read.encoding, guess: read.guess ?? null })
    }
    refuseTooLarge(source.text.length)
    if (source.text.trim() === "")
      throw new Refusal("There was nothing to paste.", "Copy cells in your spreadsheet first.")
    return load(source.text, { name: "Pasted rows", encoding: "utf-8", guess: null })
  }

  return {
    restore: () =>
      viewAfter(async () => {
        const draft = await keeper?.restore()
        if (!draft) return
        key = draft.key
        show(draft.data)
      }),

    /** Opens rows in place of the current ones, which stay after a refusal. */
    open: (from: ImportSource, remembered: readonly RememberedMapping[]) =>
      viewAfter(
        async () => {
          const before = source
          source = from.kind === "file" || from.kind === "paste" ? from : null
          try {
            const isTyped = from.kind === "rows" || from.kind === "blank"
            const data = isTyped ? loadRows(recipe, from) : await readSource({}, remembered)
            key = newKey()
            show(data)
            keeper?.begin(data, key)
          } catch (error) {
            source = before
            throw error
          }
        },
        false,
        from.kind === "file" ? from.file.name : undefined,
      ),

    /** Reads the file again with another choice; earlier choices stay, edits are lost. */
    reread: (chosen: ReadingChoice, remembered: readonly RememberedMapping[]) =>
      viewAfter(async () => {
        if (sheet === null) return
        const { origin, choices } = sheet.data
        const { delimiter, headerAt, guess } = origin
        const encoding = guess === null ? origin.encoding : null
        // Another delimiter or encoding gives other rows, so the header is detected again.
        const sameRows = chosen.delimiter === undefined && chosen.encoding === undefined
        const before = { encoding, delimiter, ...(sameRows && { headerAt }) }
        const data = await readSource({ ...before, ...chosen }, remembered)
        data.choices = choices
        show(data)
        keeper?.begin(data, key)
      }),

    /** The job was started or the draft discarded: deletes the draft; the next one gets a new key. */
    clear: () =>
      viewAfter(async () => {
        sheet = null
        source = null
        key = newKey()
        await keeper?.drop()
      }),

    know: (next: SheetFacts) =>
      viewAfter(() => {
        facts = next
        sheet?.know(next)
      }),

    edit: change((open) => open.edit),
    paste: change((open) => open.paste),
    map: change((open) => open.map),
    fill: change((open) => open.fill),
    chooseNone: change((open) => open.chooseNone),
    addColumn: change((open) => open.addColumn),
    decide: change((open) => open.decide),
    remove: change((open) => open.remove),
    addRow: change((open) => open.addRow),
    undo: change((open) => open.undo),
    mark: change((open) => open.mark),
    show: change((open) => open.show, true),
    repeats: change((open) => open.repeats, true),
    choose: change((open) => open.choose, true),
    chooseFor: change((open) => open.chooseFor, true),

    window: read((open) => open.window),
    next: read((open) => open.next),
    memberNames: read((open) => open.memberNames),
    accepted: read((open) => open.accepted),
    numbersOut: read((open) => open.numbersOut),
    comparable: read((open) => open.comparable),
    entries: read((open) => open.entries),
    excludedCsv: read((open) => open.excludedCsv),
    /** A CSV file with the column names of this recipe and no rows. */
    templateCsv: async () => toCsv({ columns: recipe.fields.map(({ label }) => label), rows: [] }),
    fingerprint: read((open) => open.fingerprint),

    flush: () => inTurn(() => keeper?.flush()),
  }
}
