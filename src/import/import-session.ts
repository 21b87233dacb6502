import { createStore, useStore } from "zustand"
import { proxy, wrap } from "comlink"
import { useEffect, useMemo } from "react"
import { saveMapping, readMappings } from "./mapping.ts"
import type { RecipeName } from "./recipe.ts"
import type { ImportSource, ReadingChoice, SheetView } from "./sheet-view.ts"
import type { ChangeResult, SheetCalls, SourceRefusal } from "./sheet-worker.ts"

/** State of an import. The view's parts are empty while nothing is open. */
export interface SheetState extends Omit<SheetView, "origin"> {
  readonly origin: SheetView["origin"] | null
  readonly phase: "starting" | "empty" | "reading" | "ready"
  readonly progress: number
  readonly busy: boolean
  /** Why the last file or paste was refused. What was open stays open. */
  readonly refusal: SourceRefusal | null
  readonly key: string
  /** Increases with every view of the sheet; 0 while nothing is open. */
  readonly revision: number
  /** Increases when rows may have changed, been added, excluded or included. */
  readonly contents: number
}

const noChecks = { repeat: 0, amount: 0, recent: 0, duplicate: 0, outlier: 0, check: 0 }
const nothingOpen: SheetState = {
  phase: "starting",
  progress: 0,
  busy: false,
  refusal: null,
  key: "",
  name: "",
  origin: null,
  description: "",
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
  taken: { points: 0, rows: 0 },
  differences: { more: 0, less: 0, total: 0 },
  unsure: 0,
  rowChoices: { all: 0, difference: 0, as_well: 0 },
  people: { members: 0, byEmail: 0, mostRows: 0, repeated: 0 },
  cleaned: { cells: 0, labels: [] },
  acknowledged: noChecks,
  leftOut: { ...noChecks, total: 0 },
  canUndo: false,
  canReread: false,
  restoredAt: null,
  choices: {},
  revision: 0,
  contents: 0,
}

/** A page's import. A refused file does not throw; the refusal is in the state. */
export type ImportSession = ReturnType<typeof createImport>["actions"] & { readonly state: SheetState }

/** Starts an import and restores the user's draft (null: no draft is saved); stops with the page. */
export function useImport(kind: RecipeName, userId: string | null): ImportSession {
  const { value, actions, connect } = useMemo(() => createImport(kind, userId), [kind, userId])
  useEffect(() => connect(), [connect])
  const state = useStore(value)
  return useMemo(() => ({ ...actions, state }), [actions, state])
}

type Change = (sheet: SheetCalls) => Promise<ChangeResult>

function createImport(kind: RecipeName, userId: string | null) {
  const value = createStore<SheetState>(() => nothingOpen)
  let client: ReturnType<typeof openWorker> | null = null
  const patch = (part: Partial<SheetState>) => value.setState(part)

  async function read<T>(call: (sheet: SheetCalls) => Promise<T>): Promise<T> {
    if (client === null) throw new Error("The import is not open.")
    return client.run(call)
  }

  function show(result: ChangeResult): void {
    const { revision, contents: before, refusal } = value.getState()
    if ("refusal" in result) {
      const phase = revision > 0 ? "ready" : "empty"
      return patch({ phase, busy: false, progress: 0, refusal: result.refusal })
    }
    const { view, key, keepsRows } = result
    const contents = keepsRows ? before : before + 1
    if (view === null) return value.setState({ ...nothingOpen, phase: "empty", key, contents }, true)
    // Repeat checks change the open rows automatically, which must not clear a notice about another file.
    return value.setState(
      {
        ...nothingOpen,
        ...view,
        phase: "ready",
        key,
        revision: revision + 1,
        contents,
        refusal,
      },
      true,
    )
  }

  async function run(call: Change, meanwhile: Partial<SheetState>): Promise<void> {
    const started = client
    patch(meanwhile)
    try {
      const result = await read(call)
      if (client === started) show(result)
    } catch (error) {
      // The page was left meanwhile; on return it starts from the draft.
      if (client !== started || started === null) return
      const title = error instanceof Error ? error.message : "Something went wrong."
      show({ refusal: { title, help: "Your draft is still saved. Reload the page." } })
    }
  }

  const reading = { phase: "reading", refusal: null } as const
  let latest: ImportSource | null = null
  function open(source: ImportSource): Promise<void> {
    latest = source
    return run((sheet) => sheet.open(source, readMappings(kind)), reading)
  }

  const actions = {
    read,
    change: (call: Change) => run(call, { busy: true }),
    open,
    /** Opens a sheet of the workbook that was refused because it has several. */
    openSheet: (sheet: string) => (latest?.kind === "file" ? open({ ...latest, sheet }) : Promise.resolve()),
    reread: (choice: ReadingChoice) => run((sheet) => sheet.reread(choice, readMappings(kind)), reading),
    /** Sets which field a column holds, and saves it for files with the same columns. */
    async map(column: number, field: string | null): Promise<void> {
      await run((sheet) => sheet.map(column, field), { busy: true })
      const { columns, origin } = value.getState()
      // Without a header the first row may be personal data, so nothing is saved.
      if (origin === null || origin.headerAt === null) return
      saveMapping(kind, {
        names: columns.map(({ name }) => name),
        fields: columns.map((each) => each.field),
      })
    },
    dismiss: () => patch({ refusal: null }),
  }

  /** Starts the worker and restores the draft; returns the cleanup. A new connection starts from the draft. */
  function connect(): () => void {
    const opened = openWorker(kind, userId, (progress) => {
      if (client === opened) patch({ progress })
    })
    client = opened
    value.setState({ ...nothingOpen, contents: value.getState().contents + 1 }, true)
    void run((sheet) => sheet.restore(), { busy: true })
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

/** Runs the sheet in a worker, so that a hundred thousand rows do not block the page. */
function openWorker(kind: RecipeName, userId: string | null, onProgress: (share: number) => void) {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  const sheet = wrap<SheetCalls>(worker)
  const waiting = new Set<(error: Error) => void>()
  let failure: Error | null = null
  worker.addEventListener("error", () => {
    failure = new Error("The file reader didn’t start.")
    for (const reject of waiting) reject(failure)
  })

  sheet.start(kind, userId, proxy(onProgress)).catch(() => {})

  async function run<T>(call: (open: SheetCalls) => Promise<T>): Promise<T> {
    if (failure !== null) throw failure
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.add(reject)
    void call(sheet).then(resolve, reject)
    return promise.finally(() => waiting.delete(reject))
  }

  return {
    run,
    /** Calls run one after the other, so none is pending when the last has finished. */
    async close(): Promise<void> {
      await run((open) => open.flush()).catch(() => {})
      worker.terminate()
    },
  }
}
