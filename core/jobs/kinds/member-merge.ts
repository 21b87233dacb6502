import * as z from "zod/mini"
import type { JobKind } from "../../../contract/job-kinds.ts"
import { memberMergeRow } from "../../../contract/kinds/member-merge.ts"
import { limits } from "../../../contract/limits.ts"
import { memberReader } from "../../../contract/program/member.ts"
import { rowOutcome } from "../../../contract/row-outcomes.ts"
import { conflict, stored } from "../../errors.ts"
import { memberPlan } from "../../gateway/upstream-read.ts"
import { readBody } from "../../validation.ts"
import type { EngineContext } from "../engine-context.ts"
import type { JobContext, KindRules, Precheck } from "../job-kind.ts"
import { cutText, followUpJob, parseJobId, wasDone } from "../job-record.ts"
import { blankRow, type NewRow, type RowChange, type RowRecord } from "../job-store.ts"
import { readsFor, refusal, refusedRead, requirePathId } from "../service-reads.ts"
import { readAgainAt } from "../transitions.ts"
import { memberUpdate } from "./member-update.ts"
import { awardInReturn, counterpartOf, deduct } from "./points.ts"

/**
 * Moves a member's points to another member: the deduction is a row like any other, and once it is confirmed, `recheck`
 * makes a job of the award, then one that deactivates the member, and leaves a note with both (docs/jobs.md, Merges).
 */
export const memberMerge: KindRules = {
  ...deduct,
  kind: "member-merge",
  newRow(raw) {
    const input = readBody(raw, memberMergeRow)
    requirePathId("member_id", input.member_id)
    requirePathId("into", input.into)
    const reason = cutText(`Merged into ${input.into}`, limits.reason)
    return { input, memberId: input.member_id, points: 0 - input.points, reason }
  },
  checkNew: checkNewMerges,
  precheck: checkBeforeMerging,
  claims: {
    ...deduct.claims,
    whileSent: ({ memberId }) => ({ scope: "program:member-merge", key: memberId ?? "" }),
  },
  recheck: continueMerge,
}

/** The members and points of a merge. */
export function mergeOf({ input }: Pick<RowRecord, "input">) {
  return readBody(input, memberMergeRow)
}

/**
 * Whether one has to wait for the other: a member is merged twice, or merged while points are on the way to them, which would
 * stay with an inactive member. Several members may be merged into one.
 */
function doCross(one: MergedMembers, other: MergedMembers): boolean {
  return [other.member_id, other.into].includes(one.member_id) || one.into === other.member_id
}

type MergedMembers = Pick<ReturnType<typeof mergeOf>, "member_id" | "into">

/** Merges that are not finished. One whose award or deactivation a person left out is. */
async function unfinishedMerges({ store }: Pick<JobContext, "store">): Promise<RowRecord[]> {
  const rows = await store.jobs.unfinishedRows("member-merge")
  const isGivenUp = async (row: RowRecord) => {
    if (row.state !== "confirmed") return false
    const last = await followingRow({ store }, row)
    const wasAwardMade = mergeNotes.parse(row.notes ?? {}).award !== undefined
    return last?.state === "excluded" || (last === undefined && wasAwardMade)
  }
  const givenUp = await Promise.all(rows.map(isGivenUp))
  return rows.filter((_, at) => givenUp[at] === false)
}

/** Throws a 409 for a merge that crosses another one that is not finished. */
async function checkNewMerges(context: EngineContext, rows: readonly NewRow[]): Promise<void> {
  const open = await stored(unfinishedMerges(context))
  const merges = rows.map(mergeOf)
  for (const [at, merge] of merges.entries()) {
    const row = open.find((each) => doCross(merge, mergeOf(each)))
    const other = row === undefined ? merges.slice(0, at).find((each) => doCross(merge, each)) : mergeOf(row)
    if (other === undefined) continue
    const where = row === undefined ? "in the same job" : `job ${row.jobId}`
    throw conflict(
      `The merge of ${other.member_id} into ${other.into} (${where}) isn’t finished, and has a member in common with this one. Nothing was moved. Settle that one first, then merge again.`,
    )
  }
}

const place = ({ jobId, row }: RowRecord) => [parseJobId(jobId) ?? 0, row] as const

/** Two that were made at one moment: the earlier one goes first. */
async function crossesEarlier(context: JobContext, row: RowRecord): Promise<boolean> {
  const merge = mergeOf(row)
  const [job, number] = place(row)
  return (await unfinishedMerges(context)).some((each) => {
    const [otherJob, otherNumber] = place(each)
    const isEarlier = otherJob < job || (otherJob === job && otherNumber < number)
    const isUnderWay = each.state !== "planned" && (otherJob !== job || otherNumber !== number)
    return (isEarlier || isUnderWay) && doCross(merge, mergeOf(each))
  })
}

/** The points must be those that the person saw; without any there is nothing to deduct. */
async function checkBeforeMerging(context: JobContext, row: RowRecord): Promise<Precheck> {
  const { member_id, into, points } = mergeOf(row)
  if (await crossesEarlier(context, row)) return refusal(row, rowOutcome("merge_crosses"))
  try {
    const { data } = await readsFor(context).read(memberPlan(into))
    if (memberReader.tolerant.parse(data).status?.toLowerCase() === "inactive")
      return refusal(row, rowOutcome("merge_into_inactive"))
    const { balance } = await readsFor(context).balance(member_id)
    if (balance !== points) return refusal(row, rowOutcome("balance_changed"))
  } catch (error) {
    return refusal(row, refusedRead(error, "not_found_there"))
  }
  if (points > 0) return { kind: "go" }
  return { kind: "done", done: { upstreamId: `merge ${row.jobId}.${row.row}`, balanceAfter: 0 } }
}

/** The jobs that follow from the deduction, once they were made. */
const mergeNotes = z.object({ award: z.optional(z.string()), deactivation: z.optional(z.string()) })

/** The last row that follows from a merge: the award, then the deactivation; undefined before either was made. */
export async function followingRow({ store }: Pick<JobContext, "store">, row: RowRecord) {
  const { deactivation } = mergeNotes.parse(row.notes ?? {})
  if (deactivation !== undefined) return store.jobs.row(deactivation, 1)
  return counterpartOf(store, row)
}

const longestWaitMs = 3_600_000

/** Takes the next step after the deduction; each only when the one before is known to be done. */
async function continueMerge(context: JobContext, row: RowRecord): Promise<readonly RowChange[]> {
  const { config, store, time } = context
  const { member_id, into, points } = mergeOf(row)
  const made = mergeNotes.parse(row.notes ?? {})
  const now = time.now()
  const soon = now + Math.min(Math.max(config.jobs.settleMs / 4, 500), 5000)
  const later = Math.max(soon, now + Math.min((now - (row.confirmedAt ?? now)) / 4, longestWaitMs))
  const next = (notes: z.output<typeof mergeNotes>) => [
    readAgainAt(row, soon, { outcome: null, notes: { ...row.notes, ...notes } }),
  ]
  const wait = async (step: RowRecord | undefined, code: "merge_not_awarded" | "merge_not_deactivated") => {
    const isMoving = step !== undefined && (await isUnderWay(context, step))
    return [readAgainAt(row, later, { outcome: isMoving ? null : rowOutcome(code) })]
  }
  if (points > 0) {
    const award = await counterpartOf(store, row)
    // One that a person left out is not made again: they may have awarded the points themselves.
    if (award === undefined && made.award === undefined) {
      const input = { member_id: into, points, reason: cutText(`Merged from ${member_id}`, limits.reason) }
      return next({ award: await makeJob(context, "award", awardInReturn(row, input)) })
    }
    if (award === undefined || !wasDone(award)) return wait(award, "merge_not_awarded")
  }
  if (made.deactivation === undefined) {
    const update = memberUpdate.newRow({ member_id, status: "inactive" }, { isRecordId: () => true })
    return next({ deactivation: await makeJob(context, "member-update", { ...blankRow, ...update }) })
  }
  const update = await store.jobs.row(made.deactivation, 1)
  if (update === undefined || !wasDone(update)) return wait(update, "merge_not_deactivated")
  const notes = [
    await addNote(context, row, member_id, `Merged into ${into}`),
    await addNote(context, row, into, `Merged from ${member_id}`),
  ]
  return [readAgainAt(row, notes.every(Boolean) ? null : soon, { outcome: rowOutcome("merged") })]
}

async function isUnderWay({ store }: JobContext, { jobId, state }: RowRecord): Promise<boolean> {
  if (state === "sent" || state === "unknown") return true
  return state === "planned" && (await store.jobs.get(jobId))?.state === "running"
}

/** Makes a job of one row; returns its id. The award takes the place of a reversal of the merge: there is one at most. */
async function makeJob(context: JobContext, kind: JobKind, row: NewRow): Promise<string | undefined> {
  const { job, store } = context
  const made = await store.jobs.create(
    {
      ...followUpJob,
      kind,
      title: job.title,
      createdBy: job.createdBy,
      mode: kind === "award" ? "single" : null,
    },
    [row],
  )
  // "reversed": another instance has made it.
  if (typeof made === "string") return undefined
  context.jobMoved(made.job.id)
  return made.job.id
}

/** Adds a line to a member's note, once. False: the note was saved in between. */
async function addNote(context: JobContext, row: RowRecord, id: string, text: string): Promise<boolean> {
  const { clock, events, job, store } = context
  const before = await store.notes.get("member", id)
  const line = `${text} (${row.jobId}).`
  if (before?.text.includes(line) === true) return true
  const isSaved = await store.notes.save({
    kind: "member",
    id,
    text: cutText([line, before?.text].filter(Boolean).join("\n"), limits.note),
    version: (before?.version ?? 0) + 1,
    saved_at: new Date(clock.now()).toISOString(),
    saved_by: job.createdBy.name,
  })
  if (isSaved) events.publish({ topic: "note", id: `member/${id}` })
  return isSaved
}
