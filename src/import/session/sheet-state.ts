import type { SheetView } from "../sheet/sheet-view.ts"

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
  /** Grows with every answer of the sheet; 0 while nothing is open. */
  readonly revision: number
  /** Grows when rows may have changed, been added, left out or taken back. */
  readonly contents: number
}

/** Before anything is open. */
export const nothingOpen: SheetState = {
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
