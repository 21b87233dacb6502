import { type AddRowsBody, createJobBody, type Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import * as z from "zod/mini"
import { countsOf, jobView, rowView } from "../job-views.ts"

/** Changes to a job and its rows. */
type Change = Partial<Omit<Job, "counts">> & { readonly rows?: Partial<JobRow> }

interface StoredJob {
  job: Job
  rows: JobRow[]
  key: string | null
  body: string
}

const inputs = z.array(z.record(z.string(), z.unknown()))

/** In-memory jobs of a fake server; tests control their progress. */
export class FakeJobs {
  readonly byId = new Map<string, StoredJob>()

  /** The job of an idempotency key; the same key with another body is refused. */
  create(posted: unknown, key: string | null): Job | "other-body" {
    const body = createJobBody.parse(posted)
    const text = JSON.stringify(body)
    for (const each of this.byId.values()) {
      if (each.key === key) return each.body === text ? each.job : "other-body"
    }
    const id = `J-${this.byId.size + 1}`
    const draft = body.options?.draft === true
    const job = jobView({
      id,
      kind: body.kind,
      state: draft ? "draft" : "running",
      mode: body.options?.mode ?? null,
      file: body.options?.file ?? null,
      points: { total: 0, confirmed: 0 },
    })
    this.byId.set(id, { job, rows: [], key, body: text })
    this.append(id, { rows: body.rows })
    return this.read(id).job
  }

  append(id: string, { rows: added, first_row: firstRow, lines, excluded = [] }: AddRowsBody): Job {
    const { job, rows } = this.read(id)
    const skip = firstRow === undefined ? 0 : rows.length - (firstRow - 1)
    const given = [
      ...inputs.parse(added).map((input, at) => ({ input, line: lines?.[at] ?? 0, why: undefined })),
      ...excluded.map((why) => ({ input: why.input, line: why.line, why })),
    ].toSorted((one, other) => one.line - other.line)
    for (const { input, line, why } of given.slice(Math.max(0, skip))) {
      const memberId = typeof input["member_id"] === "string" ? input["member_id"] : null
      rows.push(
        rowView({
          row: rows.length + 1,
          ...(line > 0 && { line }),
          state: why === undefined ? "planned" : "excluded",
          input,
          outcome: why === undefined ? null : { code: why.code, message: why.message },
          member: { id: memberId, label: null },
        }),
      )
    }
    return this.change(id, job.kind === "member-create" ? { points: null } : {})
  }

  /** Changes the job, and all its rows by `rows`. */
  change(id: string, { rows: change, ...changes }: Change): Job {
    const stored = this.read(id)
    if (change !== undefined) stored.rows = stored.rows.map((row) => ({ ...row, ...change }))
    const counts = countsOf()
    for (const { state } of stored.rows) counts[state] += 1
    const sign = stored.job.kind === "deduct" ? -1 : 1
    const sum = (rows: readonly JobRow[]) =>
      rows
        .filter(({ state }) => state !== "excluded")
        .reduce((points, { input }) => points + sign * Number(input["points"] ?? 0), 0)
    const points = {
      total: sum(stored.rows),
      confirmed: sum(stored.rows.filter(({ state }) => state === "confirmed")),
    }
    const total = stored.rows.length - counts.excluded
    stored.job = { ...stored.job, points, total, counts, ...changes }
    return stored.job
  }

  /** Confirms every row. */
  confirm(id: string, row: Partial<JobRow> = {}): Job {
    return this.change(id, {
      state: "done",
      rows: {
        state: "confirmed",
        attempts: 1,
        upstream_id: "txn_1",
        sent_at: "2026-11-21T00:46:11.600Z",
        ended_at: "2026-11-21T00:46:12Z",
        ...row,
      },
    })
  }

  read(id: string): StoredJob {
    const stored = this.byId.get(id)
    if (stored === undefined) throw new Error(`No job ${id}.`)
    return stored
  }
}
