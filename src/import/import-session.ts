import { proxy, wrap } from "comlink"
import { useEffect, useMemo } from "react"
import { externalValue } from "../lib/external-value.ts"
import { keepMapping, readMappings } from "./mapping.ts"
import type { SheetFacts } from "./recipe.ts"
import type { ChangeResult, RecipeName, SheetWorker, WorkerApi } from "./sheet-worker.ts"
import type {
  CellEdit,
  CellPlace,
  ImportSource,
  Mark,
  ReadingChoice,
  RepeatedRow,
  RowFilter,
  RowSelection,
  SheetView,
} from "./sheet-view.ts"
import { useExternalValue } from "../ui/hooks.ts"

/** What a page knows about its import. While nothing is open the view's parts are empty. */
export interface SheetState extends SheetView {
  /** `empty`: nothing is open; `reading`: a file is read and checked. */
  readonly phase: "starting" | "empty" | "reading" | "ready"
  /** Share of the file that is read and checked, 0 to 1. */
  readonly progress: number
  /** A change is being checked. */
  readonly busy: boolean
  /** Why the last file or paste was not taken. What was open before stays open. */
  readonly refusal: { readonly title: string; readonly help: string } | null
  /** Idempotency-Key of the job that this draft becomes. */
  readonly key: string
  /** Grows with every new view of the sheet; 0 while nothing is open. */
  readonly revision: number
  /** Grows when rows may have changed, been added, excluded or included. */
  readonly contents: number
}

const nothingOpen: SheetState = {
  phase: "starting",
  progress: 0,
  busy: false,
  refusal: null,
  key: "",
  name: "",
  detected: null,
  description: "",
  notes: [],
  fields: [],
  takesMetadata: false,
  columns: [],
  constants: {},
  constantProblems: {},
  missing: [],
  filter: "all",
  shown: 0,
  counts: { all: 0, problems: 0, checks: 0, ready: 0, out: 0 },
  included: 0,
  amounts: null,
  people: { members: 0, byEmail: 0, mostRows: 0, repeated: 0 },
  kept: { repeats: 0, duplicates: 0, outliers: 0, others: 0 },
  leftOut: { problems: 0, repeats: 0, duplicates: 0, outliers: 0, others: 0, byHand: 0, total: 0 },
  canUndo: false,
  restoredAt: null,
  choices: {},
  revision: 0,
  contents: 0,
}

/** An import of a page: its state, and what can be done. A refused file does not throw: the refusal is in the state. */
export type ImportSession = ReturnType<typeof createImport>["actions"] & { readonly state: SheetState }

/**
 * Starts an import for a page: brings the person's draft back, and frees everything when the page is left.
 * @param userId whose draft is kept; null: nothing is kept
 */
export function useImport(recipe: RecipeName, userId: string | null): ImportSession {
  const { value, actions, connect } = useMemo(() => createImport(recipe, userId), [recipe, userId])
  useEffect(() => connect(), [connect])
  const state = useExternalValue(value)
  return useMemo(() => ({ ...actions, state }), [actions, state])
}

/** How a change is shown while it runs, and whether the rows hold what they held before after it. */
type ChangeKind = "reads" | "changes" | "keeps rows"

function createImport(recipe: RecipeName, userId: string | null) {
  const value = externalValue<SheetState>(nothingOpen)
  let client: ReturnType<typeof openWorker> | null = null
  const patch = (part: Partial<SheetState>) => value.set({ ...value.get(), ...part })

  async function read<T>(call: (sheet: SheetWorker) => Promise<T>): Promise<T> {
    if (client === null) throw new Error("The import is not open.")
    return client.run(call)
  }

  function show(result: ChangeResult, kind: ChangeKind): void {
    if ("refusal" in result) {
      const phase = value.get().revision > 0 ? "ready" : "empty"
      return patch({ phase, busy: false, progress: 0, refusal: result.refusal })
    }
    const { view, key } = result
    const contents = value.get().contents + (kind === "keeps rows" ? 0 : 1)
    if (view === null) return value.set({ ...nothingOpen, phase: "empty", key, contents })
    const revision = value.get().revision + 1
    return value.set({ ...nothingOpen, ...view, phase: "ready", key, revision, contents })
  }

  async function change(
    call: (sheet: SheetWorker) => Promise<ChangeResult>,
    kind: ChangeKind = "changes",
  ): Promise<void> {
    const started = client
    patch(kind === "reads" ? { phase: "reading", refusal: null } : { busy: true })
    try {
      const result = await read(call)
      if (client === started) show(result, kind)
    } catch (error) {
      // Left while it ran: whoever comes back starts from the draft.
      if (client !== started || started === null) return
      const title = error instanceof Error ? error.message : "Something went wrong."
      show({ refusal: { title, help: "Your draft is still saved. Reload the page." } }, kind)
    }
  }

  const actions = {
    open: (source: ImportSource) => change((sheet) => sheet.open(source, readMappings(recipe)), "reads"),
    /** Reads the file again in another way; changes made in the grid are lost. */
    reread: (choice: ReadingChoice) => change((sheet) => sheet.reread(choice, readMappings(recipe)), "reads"),
    /** Sets which field a column holds, and remembers it for files with the same columns. */
    async map(column: number, field: string | null): Promise<void> {
      await change((sheet) => sheet.map(column, field))
      const { columns, detected } = value.get()
      // Without a line of names the first row may be somebody's data: nothing of it is remembered.
      if (detected?.hasHeader !== true) return
      keepMapping(recipe, {
        names: columns.map(({ name }) => name),
        fields: columns.map((each) => each.field),
      })
    },
    /** Sets the value for all rows of a field that no column holds; "" takes it away. */
    fill: (field: string, text: string) => change((sheet) => sheet.fill(field, text)),
    addColumn: (field: string) => change((sheet) => sheet.addColumn(field)),
    edit: (edits: readonly CellEdit[]) => change((sheet) => sheet.edit(edits)),
    /** Writes a range from the clipboard from this cell of the view on. */
    paste: (from: CellPlace, text: string) => change((sheet) => sheet.paste(from, text)),
    /** `keep` keeps rows in spite of a check, `leave` excludes them; null takes either back. */
    decide: (which: RowSelection, decision: "keep" | "leave" | null) =>
      change((sheet) => sheet.decide(which, decision)),
    remove: (ids: readonly number[]) => change((sheet) => sheet.remove(ids)),
    addRows: (count: number) => change((sheet) => sheet.addRows(count)),
    undo: () => change((sheet) => sheet.undo()),
    mark: (marks: readonly Mark[]) => change((sheet) => sheet.mark(marks)),
    /** Sets what the settings say about rows; it holds for every file that is opened. */
    know: (facts: SheetFacts) => change((sheet) => sheet.know(facts)),
    show: (filter: RowFilter) => change((sheet) => sheet.show(filter), "keeps rows"),
    /** Keeps choices of the page with the draft. */
    choose: (choices: Readonly<Record<string, string>>) =>
      change((sheet) => sheet.choose(choices), "keeps rows"),
    /** Sets which rows repeat earlier ones, in place of those set before. */
    repeats: (found: readonly RepeatedRow[]) => change((sheet) => sheet.repeats(found), "keeps rows"),
    /** The job was started, or the person discards: the draft goes, and the next one gets a new key. */
    clear: () => change((sheet) => sheet.clear()),
    /** Puts a refusal away. */
    dismiss: () => patch({ refusal: null }),
    window: (from: number, count: number) => read((sheet) => sheet.window(from, count)),
    /** The next cell of the view that is marked, from here on and around; null when none is. */
    next: (from: CellPlace, step: 1 | -1) => read((sheet) => sheet.next(from, step)),
    /** Rows that would be sent. */
    accepted: (offset: number, limit: number) => read((sheet) => sheet.accepted(offset, limit)),
    /** Rows that can be compared with earlier ones, from an id on; 0: all. */
    comparable: (from: number, most: { readonly rows: number; readonly bytes: number }) =>
      read((sheet) => sheet.comparable(from, most)),
    /** Rows of the file as its job keeps them, excluded ones too. */
    entries: (offset: number, limit: number) => read((sheet) => sheet.entries(offset, limit)),
    /** The same for the same rows in any order and format; null where it cannot be worked out. */
    fingerprint: () => read((sheet) => sheet.fingerprint()),
    excludedCsv: () => read((sheet) => sheet.excludedCsv()),
  }

  /** Starts the worker and brings the draft back; returns what ends it. Connected again, it starts from the draft. */
  function connect(): () => void {
    const opened = openWorker(recipe, userId, (progress) => {
      if (client === opened) patch({ progress })
    })
    client = opened
    value.set({ ...nothingOpen, contents: value.get().contents + 1 })
    void change((sheet) => sheet.restore())
    const keep = () => {
      if (document.visibilityState === "hidden") opened.run((sheet) => sheet.flush()).catch(() => {})
    }
    document.addEventListener("visibilitychange", keep)
    return () => {
      document.removeEventListener("visibilitychange", keep)
      if (client === opened) client = null
      void opened.close()
    }
  }

  return { value, actions, connect }
}

/** The sheet in a worker of its own, so that a hundred thousand rows never hold the page up. */
function openWorker(recipe: RecipeName, userId: string | null, onProgress: (share: number) => void) {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  const sheet = wrap<WorkerApi>(worker)
  const waiting = new Set<(error: Error) => void>()
  let failure: Error | null = null
  worker.addEventListener("error", () => {
    failure = new Error("The file reader didn’t start.")
    for (const reject of waiting) reject(failure)
  })
  const started = sheet.start(recipe, userId, proxy(onProgress))
  started.catch(() => {})

  /** Calls the sheet; rejects when the worker breaks, or the sheet met a defect of ours. */
  function run<T>(call: (open: SheetWorker) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure)
      waiting.add(reject)
      return void call(sheet)
        .then(resolve, reject)
        .finally(() => waiting.delete(reject))
    })
  }

  return {
    run,
    /** Calls are carried out one after the other: when the last is done, nothing is under way. */
    async close(): Promise<void> {
      await run((open) => open.flush()).catch(() => {})
      worker.terminate()
    },
  }
}
