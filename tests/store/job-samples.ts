import type { JobRecord, JobStore, NewJob, NewRow, RowRecord } from "../../core/jobs/job-store.ts"

/** An award job. */
export function sampleJob(changes: Partial<NewJob> = {}): NewJob {
  return {
    kind: "award",
    title: null,
    state: "running",
    createdBy: { id: "priya", name: "Priya Nair", role: "manager" },
    mode: "bulk",
    bulkSize: 25,
    lane: "jobs",
    hasBatchCode: true,
    file: null,
    reverses: null,
    request: null,
    ...changes,
  }
}

/** An award row. */
export function sampleRow(changes: Partial<NewRow> = {}): NewRow {
  return {
    input: { member_id: "mem_1", points: 50, reason: "Spring bonus" },
    memberId: "mem_1",
    email: null,
    label: null,
    points: 50,
    reason: "Spring bonus",
    reverses: null,
    ...changes,
  }
}

/** `count` rows, each of a different member. */
export function sampleRows(count: number, changes: Partial<NewRow> = {}): NewRow[] {
  return Array.from({ length: count }, (_, at) => sampleRow({ memberId: `mem_${at + 1}`, ...changes }))
}

/** Creates a job; throws on a refusal. */
export async function make(
  jobs: JobStore,
  rows: readonly NewRow[] = [],
  changes: Partial<NewJob> = {},
): Promise<JobRecord> {
  const result = await jobs.create(sampleJob(changes), rows)
  if (typeof result === "string") throw new Error(`The job was not made: ${result}.`)
  return result.job
}

/** A row; throws if it does not exist. */
export async function rowIn(jobs: JobStore, jobId: string, row: number): Promise<RowRecord> {
  const found = await jobs.row(jobId, row)
  if (found === undefined) throw new Error(`Row ${row} of ${jobId} is not there.`)
  return found
}

/** Sets fields of a row in any state. */
export async function setRow(
  jobs: JobStore,
  jobId: string,
  row: number,
  set: Parameters<JobStore["changeRows"]>[1][number]["set"],
): Promise<void> {
  const { state } = await rowIn(jobs, jobId, row)
  const [result] = await jobs.changeRows(jobId, [{ row, from: [state], set }])
  if (result !== "changed") throw new Error(`Row ${row} of ${jobId} was not changed: ${result}.`)
}

/** Row numbers. */
export function numbersOf(rows: readonly RowRecord[]): number[] {
  return rows.map(({ row }) => row)
}
