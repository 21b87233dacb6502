import { externalValue, type ExternalValue } from "../../lib/external-value.ts"
import { keepMapping, readMappings } from "../mapping/mapping-memory.ts"
import type { SheetPort } from "../port/sheet-port.ts"
import type { RecipeName } from "../recipes/find-recipe.ts"
import type { SheetFacts } from "../recipes/recipe.ts"
import type {
  AcceptedRows,
  CellEdit,
  CellPlace,
  ComparableRows,
  FileEntry,
  ImportSource,
  Mark,
  MostRows,
  ReadingChoice,
  RepeatedRow,
  SheetCommand,
  SheetResult,
  Which,
} from "../sheet/sheet-command.ts"
import type { RowFilter, RowView } from "../sheet/sheet-view.ts"
import { createSheetClient, SheetGone, type SheetClient } from "./sheet-client.ts"
import { nothingOpen, type SheetState } from "./sheet-state.ts"

/** What a page can do with an import. Nothing here throws for a bad file: a refusal stands in the state. */
interface ImportActions {
  readonly open: (source: ImportSource) => Promise<void>
  /** Reads the file again in another way; changes made in the grid are lost. */
  readonly reread: (change: ReadingChoice) => Promise<void>
  /** Says which field a column holds, and remembers it for files with the same columns. */
  readonly map: (column: number, field: string | null) => Promise<void>
  /** Sets the value for all rows of a field that no column holds; "" takes it away. */
  readonly fill: (field: string, text: string) => Promise<void>
  readonly addColumn: (field: string) => Promise<void>
  readonly edit: (edits: readonly CellEdit[]) => Promise<void>
  /** Writes a range from the clipboard from this cell of the view on. */
  readonly paste: (from: CellPlace, text: string) => Promise<void>
  /** `leave` leaves rows out by hand; `keep` keeps them in spite of a check; null takes either back. */
  readonly decide: (which: Which, decision: "keep" | "leave" | null) => Promise<void>
  readonly remove: (ids: readonly number[]) => Promise<void>
  readonly addRows: (count: number) => Promise<void>
  readonly undo: () => Promise<void>
  readonly show: (filter: RowFilter) => Promise<void>
  readonly mark: (marks: readonly Mark[]) => Promise<void>
  /** Tells the sheet what the desk's settings say about its rows; it is asked again for every file. */
  readonly know: (facts: SheetFacts) => Promise<void>
  /** Keeps choices of the page with the draft. */
  readonly choose: (patch: Readonly<Record<string, string>>) => Promise<void>
  /** The job was started, or the person discards: the draft goes, and the next one gets a new key. */
  readonly clear: () => Promise<void>
  /** Puts a refusal away. */
  readonly dismiss: () => void
  readonly window: (from: number, count: number) => Promise<readonly RowView[]>
  /** The next cell of the view that is marked, from here on and around; null when none is. */
  readonly next: (from: CellPlace, step: 1 | -1) => Promise<CellPlace | null>
  readonly accepted: (offset: number, limit: number) => Promise<AcceptedRows>
  /** Rows that can be compared with earlier ones, from an id on; 0: all. */
  readonly comparable: (from: number, most: MostRows) => Promise<ComparableRows>
  /** Rows of the file as its job keeps them, excluded ones too. */
  readonly entries: (offset: number, limit: number) => Promise<readonly FileEntry[]>
  /** Says which rows repeat earlier ones, in place of what was said before. */
  readonly repeats: (found: readonly RepeatedRow[]) => Promise<void>
  readonly distinct: (field: string) => Promise<readonly string[]>
  /** The same for the same rows in any order and format; null where it cannot be worked out. */
  readonly fingerprint: () => Promise<string | null>
  readonly leftOutCsv: () => Promise<string>
  /** Waits until everything is kept in the browser. */
  readonly flush: () => Promise<void>
}

/** An import with its state. */
export interface ImportSession extends ImportActions {
  readonly state: SheetState
}

/** An import outside React: its state, what can be done, and its life. */
export interface ImportDesk {
  readonly state: ExternalValue<SheetState>
  readonly actions: ImportActions
  /** Starts the sheet and brings the draft back; returns what ends it and frees everything. */
  readonly connect: () => () => void
}

interface DeskOptions {
  readonly recipe: RecipeName
  readonly userId: string
  readonly openPort: () => Promise<SheetPort>
}

/** Commands after which the rows hold what they held before. */
const harmless = new Set<SheetCommand["type"]>(["show", "choose", "repeats"])

/** Makes an import. Connected again after its end, it starts anew from the draft. */
export function createImportDesk({ recipe, userId, openPort }: DeskOptions): ImportDesk {
  const state = externalValue<SheetState>(nothingOpen)
  let client: SheetClient | null = null
  const patch = (part: Partial<SheetState>) => state.set({ ...state.get(), ...part })

  async function ask(command: SheetCommand): Promise<SheetResult> {
    if (client === null) throw new SheetGone("The import is not open.")
    return client.ask(command)
  }

  function take(result: SheetResult, asked: SheetCommand["type"] | null): void {
    if (result.type === "refused") {
      const phase = state.get().revision > 0 ? "ready" : "empty"
      return patch({ phase, busy: false, progress: 0, refusal: { title: result.title, help: result.help } })
    }
    if (result.type !== "view") return
    const { view, key } = result
    const sameContents = asked !== null && harmless.has(asked)
    const contents = state.get().contents + (sameContents ? 0 : 1)
    if (view === null) state.set({ ...nothingOpen, phase: "empty", key, contents })
    else {
      const revision = state.get().revision + 1
      state.set({ ...nothingOpen, ...view, phase: "ready", key, revision, contents })
    }
  }

  async function change(command: SheetCommand): Promise<void> {
    const asked = client
    patch(
      command.type === "open" || command.type === "reread"
        ? { phase: "reading", refusal: null }
        : { busy: true },
    )
    try {
      const result = await ask(command)
      if (client === asked) take(result, command.type)
    } catch (error) {
      // Left while it ran: whoever comes back starts from the draft.
      if (client !== asked || asked === null) return
      const title = error instanceof Error ? error.message : "Something went wrong."
      take({ type: "refused", title, help: "Your draft is still saved. Reload the page." }, null)
    }
  }

  const actions: ImportActions = {
    open: (source) => change({ type: "open", source, remembered: readMappings(recipe) }),
    reread: (to) => change({ type: "reread", change: to, remembered: readMappings(recipe) }),
    async map(column, field) {
      await change({ type: "map", column, field })
      const { columns, detected } = state.get()
      // Without a line of names the first row may be somebody's data: nothing of it is remembered.
      if (detected === null || detected.header === null) return
      keepMapping(recipe, {
        names: columns.map(({ name }) => name),
        fields: columns.map((each) => each.field),
      })
    },
    fill: (field, text) => change({ type: "fill", field, text }),
    addColumn: (field) => change({ type: "addColumn", field }),
    edit: (edits) => change({ type: "edit", edits }),
    paste: (from, text) => change({ type: "paste", ...from, text }),
    decide: (which, decision) => change({ type: "decide", which, decision }),
    remove: (ids) => change({ type: "remove", ids }),
    addRows: (count) => change({ type: "addRows", count }),
    undo: () => change({ type: "undo" }),
    show: (filter) => change({ type: "show", filter }),
    mark: (marks) => change({ type: "mark", marks }),
    know: (facts) => change({ type: "know", facts }),
    choose: (choices) => change({ type: "choose", patch: choices }),
    clear: () => change({ type: "clear" }),
    dismiss: () => patch({ refusal: null }),
    async window(from, count) {
      const result = await ask({ type: "window", from, count })
      return result.type === "rows" ? result.rows : []
    },
    async next(from, step) {
      const result = await ask({ type: "next", ...from, step })
      return result.type === "place" ? result.place : null
    },
    async accepted(offset, limit) {
      const result = await ask({ type: "accepted", offset, limit })
      return result.type === "accepted" ? result.accepted : { rows: [], numbers: [] }
    },
    async comparable(from, most) {
      const result = await ask({ type: "comparable", from, most })
      return result.type === "comparable" ? result.comparable : { ids: [], texts: [], next: null }
    },
    async entries(offset, limit) {
      const result = await ask({ type: "entries", offset, limit })
      return result.type === "entries" ? result.entries : []
    },
    repeats: (found) => change({ type: "repeats", found }),
    async distinct(field) {
      const result = await ask({ type: "distinct", field })
      return result.type === "texts" ? result.texts : []
    },
    async fingerprint() {
      const result = await ask({ type: "fingerprint" })
      return result.type === "fingerprint" ? result.fingerprint : null
    },
    async leftOutCsv() {
      const result = await ask({ type: "leftOut" })
      return result.type === "csv" ? result.csv : ""
    },
    async flush() {
      await ask({ type: "flush" })
    },
  }

  return {
    state,
    actions,
    connect() {
      const opened = createSheetClient({
        openPort,
        recipe,
        userId,
        onProgress: (progress) => client === opened && patch({ progress }),
      })
      client = opened
      state.set({ ...nothingOpen, contents: state.get().contents + 1 })
      void change({ type: "restore" })
      const keep = () => {
        if (document.visibilityState === "hidden") void opened.ask({ type: "flush" }).catch(() => {})
      }
      document.addEventListener("visibilitychange", keep)
      return () => {
        document.removeEventListener("visibilitychange", keep)
        if (client === opened) client = null
        opened.close()
      }
    },
  }
}
