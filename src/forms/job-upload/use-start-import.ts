import { useNavigate } from "@tanstack/react-router"
import type { CreateJobBody } from "../../../contract/job.ts"
import type { ImportSession } from "../../import/session/import-session.ts"
import type { FileEntry } from "../../import/sheet/sheet-command.ts"
import { jobAddress } from "../outcome/job-link.tsx"
import type { Repeats } from "./repeats.tsx"
import { useHandOver } from "./use-hand-over.ts"

interface StartImport {
  readonly kind: CreateJobBody["kind"]
  readonly options: NonNullable<CreateJobBody["options"]>
  /** Changes rows before they are handed over; `first` is the place of the first of them among all that are sent. */
  readonly change?: (rows: readonly SheetRow[], first: number) => readonly SheetRow[]
}

type SheetRow = Readonly<Record<string, unknown>>

/** Makes a job of what stands in an import, forgets the draft, and goes to the job's page. */
export function useStartImport(session: ImportSession, repeats?: Pick<Repeats, "recheck">) {
  const navigate = useNavigate()
  const over = useHandOver()
  const start = async ({ kind, options, change }: StartImport): Promise<void> => {
    const { state } = session
    try {
      const fingerprint = await session.fingerprint()
      const file = fingerprint === null ? {} : { file: { name: state.name.slice(0, 200), fingerprint } }
      const job = await over.start({
        kind,
        options: { ...options, ...file },
        key: state.key,
        total: state.included,
        repeats: state.kept.repeats,
        read: changed(session, change),
      })
      await session.clear()
      await navigate({ to: jobAddress(job.id) })
    } catch {
      // The mutation keeps the error, and the page shows it. Other rows may repeat earlier ones by now.
      repeats?.recheck()
    }
  }
  return { ...over, start }
}

/** The rows of the file, those that are sent as `change` makes them. */
function changed({ entries }: ImportSession, change: StartImport["change"]) {
  // Offsets are read in order: how many rows that are sent stand before each of them.
  const before = new Map([[0, 0]])
  return async (offset: number, limit: number): Promise<readonly FileEntry[]> => {
    const read = await entries(offset, limit)
    if (change === undefined) return read
    const rows = read.flatMap((entry) => ("row" in entry ? [entry.row] : []))
    const first = before.get(offset) ?? (await countSent(entries, offset))
    before.set(offset + read.length, first + rows.length)
    const made = [...change(rows, first)]
    return read.map((entry) => ("row" in entry ? { ...entry, row: made.shift() ?? entry.row } : entry))
  }
}

/** Rows that are sent before an offset: somebody goes on in the middle of the file. */
async function countSent(entries: ImportSession["entries"], offset: number): Promise<number> {
  return (await entries(0, offset)).filter((entry) => "row" in entry).length
}
