import type { AuditAction, AuditEntry } from "../contract/audit.ts"
import type { CardRecord } from "../contract/cards.ts"
import type { Note } from "../contract/notes.ts"
import { noticeDays } from "../contract/notices.ts"
import { settingsDocuments } from "../contract/settings.ts"
import { demoPeople } from "../contract/users.ts"
import type { NewAuditEntry } from "../core/audit-log.ts"
import { jobEndEntry } from "../core/jobs/job-actions.ts"
import { endedWithResponse } from "../core/jobs/job-kind.ts"
import { type Claim, type JobRecord, type RowRecord, rowRecord } from "../core/jobs/job-store.ts"
import { kindRules, newRow } from "../core/jobs/kinds/kind-rules.ts"
import { bodyHash, firstJobNumber, formatJobId } from "../core/jobs/records.ts"
import type { StoredName } from "../core/ports.ts"
import { kindOf, noticeKey, readName } from "../core/resources/notices.ts"
import { reversedBatch } from "../sandbox/seed/ledger.ts"
import { cardSettings } from "../sandbox/seed/cards.ts"
import { day, mix, type Random, randomFrom } from "../sandbox/seed/random.ts"
import type { SandboxStore } from "../sandbox/store/store.ts"
import { admin, manager, type PastJob, pastJobs, viewer } from "./past-jobs.ts"
import { cardColumns } from "./store/card-store.ts"
import type { Engine } from "./store/engine.ts"
import { countRow, emptyTally, tallyColumns } from "./store/held-job.ts"
import { insertRows } from "./store/row-changes.ts"
import { auditTable, hourOf, jobTable, snapshotTable } from "./store/schema.ts"

/**
 * Writes a year of work into a new store: the jobs whose effects the sandbox's records show, with their rows, claims,
 * cards, notes, leaderboards and audit entries, in one transaction. Nothing of it is sent when the store is opened: what
 * is unfinished is paused or waits for a decision. A store in which anything was done stays as it is. For SQLite, as the
 * sandbox is.
 */
export async function writePastWork({ db, kind }: Engine, sandbox: SandboxStore): Promise<void> {
  const used = await db.selectFrom("audit").select("id").limit(1).executeTakeFirst()
  if (used !== undefined) return
  const { number, seededAt } = sandbox.base
  const { jobs: past, notes, boards } = pastJobs(sandbox)
  const jobs = past.map((job, at) => written(job, firstJobNumber + at, codeOf(number, at)))
  const acts = [...deskActs(seededAt, randomFrom(number, 93)), ...notes.map(noteAct)]
  const rows = jobs.flatMap((job) => job.rows)
  const claims = rows.flatMap(({ claim }) => claim ?? [])
  const cards = jobs.flatMap((job) => job.cards)
  const audit = [...jobs.flatMap((job) => job.acts), ...acts].toSorted((a, b) => a.at - b.at)
  const records = await Promise.all(
    rows.map(async ({ record }) => {
      const body = record.work?.["body"]
      return body === undefined ? record : { ...record, bodyHash: await bodyHash(body) }
    }),
  )
  await db.transaction().execute(async (within) => {
    await within
      .insertInto("job")
      .values(jobs.map(({ columns }) => columns))
      .execute()
    await insertRows(kind, within, records, ({ state, endedAt }) =>
      state === "confirmed" || state === "failed" ? endedAt : null,
    )
    await within.insertInto("job_claim").values(claims).execute()
    await within.insertInto("card").values(cards).execute()
    await within.insertInto("note").values(notes).execute()
    for (const read of noticesRead(jobs, seededAt - day))
      await within.insertInto("setting").values(read).execute()
    const snapshots = boards.map((board) => ({ ...snapshotTable.write(board), hour: hourOf(board.at) }))
    await within.insertInto("leaderboard_snapshot").values(snapshots).execute()
    const names = namesSeen(sandbox)
    for (let from = 0; from < names.length; from += 1000) {
      await within
        .insertInto("member_name")
        .values(names.slice(from, from + 1000))
        .execute()
    }
    const entries = audit.map(({ at, entry }, index): AuditEntry => {
      const id = `past_${String(index).padStart(5, "0")}`
      return { ...entry, id, at: new Date(at).toISOString() }
    })
    await within
      .insertInto("audit")
      .values(entries.map((entry) => auditTable.write(entry)))
      .execute()
  })
}

/** What finished before `until` was read by whoever started it, as far as notices reach back. */
function noticesRead(jobs: readonly { readonly job: JobRecord }[], until: number) {
  const own = jobs.filter(({ job }) => {
    const at = job.finishedAt ?? until
    return at < until && at > until - noticeDays * day && kindOf(job, job.createdBy, 0) === "finished"
  })
  return [...Map.groupBy(own, ({ job }) => readName(job.createdBy))].map(([name, read]) => ({
    name,
    value: JSON.stringify({ read: read.map(({ job }) => noticeKey("finished", job)) }),
  }))
}

/** A year of work comes across everybody's name. */
function namesSeen({ base, members }: SandboxStore): StoredName[] {
  const seats = Array.from({ length: base.members }, (_, index) => members.get(members.idAt(index)))
  return seats.flatMap((member): StoredName[] => {
    const name = [member?.first_name, member?.last_name].filter(Boolean).join(" ")
    return member === undefined || name === ""
      ? []
      : [{ id: member.id, name, email: null, at: base.seededAt }]
  })
}

type Act = Readonly<{ at: number; entry: NewAuditEntry }>
const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** Batch codes of past jobs, each another one. */
function codeOf(seed: number, at: number): string {
  let rest = (mix(seed, 92) % 1000) + at * 1009
  let code = ""
  for (let digit = 0; digit < 5; digit += 1) {
    code += letters.charAt(rest % letters.length)
    rest = Math.floor(rest / letters.length)
  }
  return code
}

/** A job as it is kept: its columns, rows, claims, cards and entries of the audit log. */
function written(past: PastJob, number: number, code: string) {
  const { kind, at, by, set = {}, fixedAfter } = past
  const id = formatJobId(number)
  const defaults = { cardId: "card_tradevisa", templates: cardSettings.cardTemplates.templates }
  const timesOf = new Map<string | null, number>()
  const rows = past.rows.map(({ input, label, done, set: rowSet }, index) => {
    const row = index + 1
    const endedAt = done?.at ?? at + row * 1000
    const sign = kind === "deduct" ? -1 : 1
    const asked = set.reverses
      ? { input, points: sign * Number(input["points"]) }
      : newRow(kind, input, defaults)
    const memberId = typeof input["member_id"] === "string" ? input["member_id"] : null
    // A file may have somebody twice.
    const ordinal = (timesOf.get(memberId) ?? 0) + 1
    timesOf.set(memberId, ordinal)
    const record = rowRecord.parse({
      email: null,
      reason: typeof input["reason"] === "string" ? input["reason"] : null,
      reverses: null,
      ...asked,
      memberId,
      label,
      jobId: id,
      row,
      line: set.file ? row : null,
      state: "confirmed",
      ordinal,
      attempts: 1,
      firstSentAt: endedAt - 400,
      sentAt: endedAt - 400,
      endedAt,
      endedHow: done === undefined ? null : endedWithResponse,
      upstreamId: done?.id ?? null,
      confirmedAt: done?.at ?? null,
      balanceAfter: done?.balanceAfter ?? null,
      ...rowSet,
    })
    const scope = kindRules[kind].claimScope
    const claim: (Claim & { job: number; row: number }) | undefined =
      scope === undefined || done === undefined ? undefined : { scope, key: done.id, job: number, row }
    return { record, claim }
  })
  const tally = emptyTally()
  for (const { record } of rows) countRow(tally, record, 1)
  const isMany = rows.length > 1
  const ends = rows.map(({ record }) => record.endedAt ?? at)
  const finishedAt = Math.max(...ends) + 300 + (fixedAfter ?? 0)
  const points = { total: tally.pointsTotal, confirmed: tally.pointsConfirmed }
  const job: JobRecord = {
    id,
    kind,
    title: null,
    state: "done",
    pause: null,
    prepared: set.state !== "paused",
    total: tally.total,
    counts: tally.counts,
    attention: tally.attention,
    amount: tally.amount,
    batchCode: code,
    createdAt: at,
    createdBy: { id: by.id, name: by.name, role: by.role },
    startedAt: at + 200,
    finishedAt: set.state === "paused" ? null : finishedAt,
    idleSince: finishedAt,
    idleMs: fixedAfter ?? 0,
    mode: null,
    bulkSize: 100,
    lane: isMany ? "jobs" : "people",
    marked: true,
    file: null,
    repeats: set.file ? 0 : null,
    reverses: null,
    reversedBy:
      number === firstJobNumber && set.title === reversedBatch.reason ? [formatJobId(number + 1)] : [],
    hold: null,
    refusal: null,
    sitting: null,
    partOf: null,
    linked: null,
    points: kind === "award" || kind === "deduct" ? points : null,
    ...set,
  }
  return {
    job,
    columns: {
      ...jobTable.write(job),
      ...tallyColumns(job, tally, 0),
      request_key: null,
      request_hash: null,
    },
    rows,
    cards: kind === "giftcard" ? rows.flatMap(({ record }) => issuedCard(record, job)) : [],
    acts: actsOf(
      job,
      rows.map(({ record }) => record),
      fixedAfter,
    ),
  }
}

function actsOf(job: JobRecord, rows: readonly RowRecord[], fixedAfter: number | undefined): Act[] {
  const { id, createdAt, createdBy, finishedAt, title } = job
  const [only] = rows
  const act = (at: number, action: AuditAction, note: string): Act => {
    const on = { kind: "job", id, label: title }
    return { at, entry: entryOf(createdBy, action, on, { note, request_id: id }) }
  }
  const end = (row?: RowRecord): Act[] =>
    finishedAt === null ? [] : [{ at: finishedAt, entry: { ...jobEndEntry(job, row), source: null } }]
  if (rows.length === 1) return end(only)
  const total = `${rows.length} rows`
  const retry = fixedAfter === undefined ? [] : [act(createdAt + fixedAfter, "job.retry", "1 row, corrected")]
  return [act(createdAt, "job.start", total), ...retry, ...end()]
}

function entryOf(
  actor: AuditEntry["actor"],
  action: AuditAction,
  on: AuditEntry["on"],
  { note = null, request_id = "past" }: { note?: string | null; request_id?: string } = {},
): NewAuditEntry {
  const area = action.startsWith("session") || action.startsWith("settings") ? "app" : "program"
  const { id, name, role } = actor
  return {
    actor: { id, name, role },
    action,
    area,
    on,
    outcome: "done",
    note,
    changes: [],
    request_id,
    source: null,
  }
}

function issuedCard(row: RowRecord, { id, createdBy }: JobRecord) {
  const { input, work, upstreamId, confirmedAt, label, email } = row
  if (upstreamId === null || confirmedAt === null) return []
  const expires = work?.["expiresAt"]
  const member = work?.["memberId"]
  const card: CardRecord = {
    id: upstreamId,
    origin: "issued",
    status: "issued",
    template: String(input["cardId"]),
    amount_cents: Math.round(Number(input["denomination"]) * 100),
    reference: String(input["externalRef"]),
    own_reference: null,
    member: { id: typeof member === "string" ? member : null, email, name: label, created: false },
    is_test: work?.["isTest"] === true,
    issued_at: new Date(confirmedAt).toISOString(),
    expires_at: typeof expires === "string" ? expires : null,
    job: { id, row: row.row, line: row.line },
    by: { id: createdBy.id, name: createdBy.name },
    replayed: false,
    message: "Gift card issued",
    looked_up_at: null,
  }
  return [cardColumns(card)]
}

function noteAct({ kind, id, saved_at, saved_by }: Note): Act {
  const by = demoPeople.find(({ name }) => name === saved_by) ?? manager
  return { at: Date.parse(saved_at ?? ""), entry: entryOf(by, "note.save", { kind, id, label: null }) }
}

/** Sign-ins of the last weeks, and what an administrator and a viewer did beside jobs. */
function deskActs(seededAt: number, random: Random): Act[] {
  const signIns = demoPeople.flatMap((person) =>
    Array.from({ length: 20 }, (_, days): Act => {
      const at = Math.floor(seededAt - (days + 0.3 + random() * 0.1) * day)
      return {
        at,
        entry: entryOf(person, "session.sign_in", { kind: "user", id: person.id, label: person.name }),
      }
    }),
  )
  const settings = [11, 96, 240].map((days): Act => {
    const id = days === 11 ? "cardCosts" : "carriers"
    const on = { kind: "settings", id, label: settingsDocuments[id].label }
    return { at: seededAt - days * day, entry: entryOf(admin, "settings.save", on) }
  })
  const exported = [8, 39, 70].map((days): Act => {
    const on = { kind: "export", id: "members", label: null }
    return { at: seededAt - days * day, entry: entryOf(viewer, "export.create", on) }
  })
  return [...signIns, ...settings, ...exported]
}
