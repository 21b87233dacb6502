import type { JobKind, RowRepeats } from "../../../contract/desk/job.ts"
import { findRepeats } from "../../api/job-writes.ts"
import type { ImportSession } from "../../import/session/import-session.ts"
import type { RepeatedRow } from "../../import/sheet/sheet-command.ts"
import { chunkRows } from "./chunk-rows.ts"

/** Rows read from the sheet in one step: few enough that the page stays quick in between. */
const atOnce = 5000

/** What earlier rows were found for a row of a file, by the row's own text; null: none. */
export type KnownRepeats = Map<string, RowRepeats | null>

/** Which rows of a file repeat earlier ones, and in which jobs those are. */
export interface ComparedFile {
  readonly found: readonly RepeatedRow[]
  /** Ids of the jobs with the earlier rows, newest first. */
  readonly jobs: readonly string[]
}

/**
 * Compares the rows of a sheet with those of earlier jobs. Rows that were asked about before are not asked about again.
 * @throws what `request` throws; the signal's reason
 */
export async function compareRows(
  kind: JobKind,
  { comparable }: Pick<ImportSession, "comparable">,
  known: KnownRepeats,
  signal: AbortSignal,
): Promise<ComparedFile> {
  const rows: { readonly id: number; readonly text: string }[] = []
  let reading = comparable(0, atOnce)
  for (let offset = 0; ; offset += atOnce) {
    const part = await reading
    signal.throwIfAborted()
    const isLast = part.rows.length < atOnce
    // Read while the server compares the ones before.
    if (!isLast) {
      reading = comparable(offset + atOnce, atOnce)
      // Where the server's answer fails first, nobody waits for it any more.
      reading.catch(() => {})
    }
    const unknown = new Map<string, unknown>()
    for (const [at, row] of part.rows.entries()) {
      const text = JSON.stringify(row)
      rows.push({ id: part.ids[at] ?? -1, text })
      if (!known.has(text)) unknown.set(text, row)
    }
    await askAbout(kind, unknown, known, signal)
    if (isLast) break
  }
  return allot(rows, known)
}

/** Asks the server about rows, by their texts, and adds what it knows to `known`. */
async function askAbout(
  kind: JobKind,
  unknown: ReadonlyMap<string, unknown>,
  known: KnownRepeats,
  signal: AbortSignal,
): Promise<void> {
  const texts = [...unknown.keys()]
  let asked = 0
  for (const chunk of chunkRows([...unknown.values()])) {
    const found = new Map((await findRepeats(kind, chunk, signal)).map((each) => [each.at, each]))
    for (let at = 0; at < chunk.length; at += 1) known.set(texts[asked + at] ?? "", found.get(at) ?? null)
    asked += chunk.length
  }
}

/** Each earlier row makes one row of the file a repeat, the first ones first (docs/decisions/0008-jobs.md). */
function allot(
  rows: readonly { readonly id: number; readonly text: string }[],
  known: KnownRepeats,
): ComparedFile {
  const used = new Map<string, number>()
  const jobs = new Set<string>()
  const found = rows.flatMap(({ id, text }) => {
    const earlier = known.get(text)
    if (earlier === undefined || earlier === null) return []
    const before = used.get(earlier.key) ?? 0
    if (before >= earlier.count) return []
    used.set(earlier.key, before + 1)
    jobs.add(earlier.job)
    return { id, text: `Same as row ${earlier.row} of ${earlier.job}` }
  })
  return { found, jobs: [...jobs].toSorted((one, other) => Number(other.slice(2)) - Number(one.slice(2))) }
}
