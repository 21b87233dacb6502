import type { JobKind, RowRepeats } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { findRepeats } from "../../api/job-writes.ts"
import type { ImportSession } from "../../import/session/import-session.ts"
import type { ComparableRows, RepeatedRow } from "../../import/sheet/sheet-command.ts"
import { rowBytes } from "./chunk-rows.ts"

/** Rows read from the sheet in one step, which fit one request: few enough that the page stays quick in between. */
const atOnce = { rows: limits.rowsCompared, bytes: rowBytes }
/** Requests under way at once: the server compares one part while the next one is made and sent. */
const mostAsked = 2

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
  const asked: Promise<void>[] = []
  for (let from: number | null = 0; from !== null;) {
    const { ids, texts, next }: ComparableRows = await comparable(from, atOnce)
    signal.throwIfAborted()
    for (const [at, text] of texts.entries()) rows.push({ id: ids[at] ?? -1, text })
    const unknown = [...new Set(texts.filter((text) => !known.has(text)))]
    if (asked.length >= mostAsked) await asked.shift()
    if (unknown.length > 0) {
      const asking = askAbout(kind, unknown, known, signal)
      // Where another answer fails first, nobody waits for this one any more.
      asking.catch(() => {})
      asked.push(asking)
    }
    from = next
  }
  await Promise.all(asked)
  return allot(rows, known)
}

/** Asks the server about rows, by their texts, and adds what it knows to `known`. */
async function askAbout(
  kind: JobKind,
  unknown: readonly string[],
  known: KnownRepeats,
  signal: AbortSignal,
): Promise<void> {
  const found = new Map((await findRepeats(kind, unknown, signal)).map((each) => [each.at, each]))
  for (const [at, text] of unknown.entries()) known.set(text, found.get(at) ?? null)
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
