import { DatabaseSync } from "node:sqlite"
import { sql } from "kysely"
import { expect, it } from "vitest"
import { readClock, inProcessBus, type Engine } from "./engine.ts"
import { budgetStore } from "./budget-store.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { migrate } from "./migrations.ts"
import { openEngine } from "./open-store.ts"
import { sqlStore } from "./sql-store.ts"
import { newRow } from "../../core/jobs/kinds/kind-rules.ts"
import { make, sampleRow } from "../../tests/store/job-samples.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import { kyselyOver } from "./sqlite.ts"

const places = testPlaces()

/** Gives the tables of users, sessions and instances the names they had before. */
async function revertAppTables({ db, kind }: Engine) {
  for (const name of ["user", "session", "account", "verification", "instance"])
    await sql.raw(`alter table app_${name} rename to desk_${name}`).execute(db)
  if (kind === "postgres")
    await sql`alter table desk_account rename constraint app_account_one to desk_account_one`.execute(db)
  await sql`drop index app_session_user`.execute(db)
  await sql`create index desk_session_user on desk_session (user_id)`.execute(db)
  await sql`drop index app_verification_identifier`.execute(db)
  await sql`create index desk_verification_identifier on desk_verification (identifier)`.execute(db)
}

/** Takes back what the newest steps add, so that they can run again. */
async function revertNewestSteps({ db, kind }: Engine) {
  for (const table of ["book_day", "book_month", "book_difference"])
    await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`alter table job_canary rename to job_control`.execute(db)
  if (kind === "postgres")
    await sql`alter table job_control rename constraint job_canary_row to job_control_row`.execute(db)
  await sql`drop index job_canary_type`.execute(db)
  await sql`create index job_control_type on job_control (type, answered_at)`.execute(db)
  await sql`alter table job rename column open_canaries to open_controls`.execute(db)
  await sql`alter table job rename column has_batch_code to marked`.execute(db)
  await sql`alter table job_row rename column send_alone to singly`.execute(db)
  await sql`alter table job_row rename column had_unknown_attempt to doubtful`.execute(db)
  await sql`alter table job_row rename column lookup_times to looks`.execute(db)
  await sql`alter table job_row rename column notes to work`.execute(db)
  await sql`alter table job_control rename column lookups to looks`.execute(db)
  await sql`drop index job_open_by`.execute(db)
  await sql`drop table open_job_row`.execute(db)
  for (const column of ["closes_at", "is_open"])
    await sql`alter table job drop column ${sql.ref(column)}`.execute(db)
  await sql`alter table job add column sitting text`.execute(db)
  await sql`alter table job add column part_of bigint`.execute(db)
  await sql`create index job_sitting on job (sitting)`.execute(db)
  await sql`create index job_part_of on job (part_of)`.execute(db)
  await sql`create index audit_sitting on audit (request_id)`.execute(db)
}

async function revertSteps(engine: Engine, since: string) {
  const { db } = engine
  await revertNewestSteps(engine)
  await revertAppTables(engine)
  await sql`drop index job_request`.execute(db)
  await sql`create unique index job_request on job (created_by, request_key)`.execute(db)
  for (const index of ["job_row_purpose_member", "job_row_purpose_email", "job_row_awaits"])
    await sql`drop index ${sql.ref(index)}`.execute(db)
  for (const column of ["refusal_code", "refusal_message", "request_by", "linked"])
    await sql`alter table job drop column ${sql.ref(column)}`.execute(db)
  for (const column of ["purpose", "correction", "awaits"])
    await sql`alter table job_row drop column ${sql.ref(column)}`.execute(db)
  await sql`alter table job_control drop column missing`.execute(db)
  await sql`delete from kysely_migration where name >= ${since}`.execute(db)
}

function opened(): { database: DatabaseSync; engine: Engine } {
  const database = new DatabaseSync(":memory:")
  const db = kyselyOver(database)
  const lock: Engine["lock"] = (within) => readClock("sqlite", within)
  const budget = budgetStore({ db, lock })
  const now = () => readClock("sqlite", db)
  const close = () => db.destroy()
  return {
    database,
    engine: { kind: "sqlite", db, patient: db, bus: inProcessBus(quietLog), budget, lock, now, close },
  }
}

it("opens a store again as it is", async () => {
  const { database, engine } = opened()
  await migrate(engine)
  database.exec("insert into setting (name, value) values ('program', '{}')")
  await migrate(engine)
  expect(database.prepare("select name from setting").all()).toEqual([{ name: "program" }])
})

it("keeps jobs of an older store, opens jobs of the ship desk from now on, and numbers cards as their files", async () => {
  const { database, engine } = opened()
  await migrate(engine)
  const { jobs } = sqlStore(engine)
  const ship = { kind: "order-update", mode: null } as const
  const row = sampleRow({ points: null, memberId: null, label: "ord_1" })
  const before = await make(jobs, [row], ship)
  const numbered = await make(jobs, [sampleRow({ line: 7 })], ship)
  await revertSteps(engine, "0016-sittings")
  database.exec(`insert into card (id, origin, by_id, by_name, search, job, row)
    select 'gc_1', 'issued', 'usr_1', 'Ana', '', max(number), 1 from job;
    alter table card drop column line;
    drop index job_sitting; drop index job_part_of;
    alter table job drop column sitting; alter table job drop column part_of;
    drop table note_version; drop index audit_sitting`)
  await migrate(engine)
  expect(await sqlStore(engine).cards.get("gc_1")).toMatchObject({
    job: { id: numbered.id, row: 1, line: 7 },
  })
  const closesAt = (await jobs.now()) + 60_000
  const open = await make(jobs, [row], { ...ship, closesAt })
  expect(await make(jobs, [row], { ...ship, closesAt })).toMatchObject({ id: open.id, total: 2 })
  expect(await jobs.list({ perPage: 10 })).toMatchObject([{ isOpen: true }, numbered, before])
})

it.each(["newFile", "newDatabase"] as const)(
  "counts cards of jobs from before their amounts (%s)",
  async (place) => {
    const engine = await openEngine(await places[place](), quietLog)
    await migrate(engine)
    const { jobs } = sqlStore(engine)
    const cards = [50, 25.1].map((denomination) =>
      sampleRow({ points: null, input: { denomination, member: { email: "a@b.co" }, cardId: "c" } }),
    )
    const { id, createdBy } = await make(jobs, cards, { kind: "giftcard", mode: null })
    const award = await make(jobs, [sampleRow()])
    await sql`update job set amount = 0, amount_planned = 0 where kind = 'giftcard'`.execute(engine.db)
    await revertSteps(engine, "0020")
    await migrate(engine)
    expect([(await jobs.get(id))?.amount, (await jobs.get(award.id))?.amount]).toEqual([7510, award.amount])
    await jobs.changeRows(id, [{ row: 1, from: ["planned"], set: { state: "failed" } }])
    expect(await jobs.startedAmount(createdBy.id, { kinds: ["giftcard"], from: 0 })).toBe(2510)
    await jobs.change(id, ["running"], { state: "cancelling" })
    expect(await jobs.startedAmount(createdBy.id, { kinds: ["giftcard"], from: 0 })).toBe(0)
    await engine.close()
  },
)

it.each(["newFile", "newDatabase"] as const)(
  "rows from before are compared without format characters (%s)",
  async (place) => {
    const engine = await openEngine(await places[place](), quietLog)
    await migrate(engine)
    const { jobs } = sqlStore(engine)
    const input = (reference: string) => ({
      member_id: "mem_1",
      points: 50,
      reason: "Spring bonus",
      reference,
    })
    // Stored as it was typed: the version before took nothing out.
    const rowOf = (reference: string) =>
      sampleRow({ ...newRow("award", input(reference), {}), input: input(reference) })
    const paid = "INV-\u200b1001"
    await make(jobs, [rowOf(paid), rowOf("INV-2002")])
    // As the version before wrote it.
    const before = JSON.stringify(["award", 50, `reference ${paid.toLowerCase()}`])
    await sql`update job_row set effect = ${before} where row = 1`.execute(engine.db)
    await revertSteps(engine, "0021")
    await migrate(engine)
    const again = ["INV-1001", "INV-2002", "INV-3003"].map(rowOf)
    const compared = again.map(
      ({ memberId, email, effect = null, effectWithoutReference = null, purpose = null }) => {
        return { memberId, email, effect, effectWithoutReference, purpose }
      },
    )
    const same = await jobs.sameRows(compared, 0)
    expect(same.map(({ count }) => count)).toEqual([1, 1, 0])
    // What each was for is filled in, so that another amount for it is recognised.
    expect(same.map(({ related }) => related.map(({ points }) => points))).toEqual([[50], [50], []])
    await engine.close()
  },
)

it.each(["newFile", "newDatabase"] as const)(
  "references that rows of cards claimed before are compared without format characters (%s)",
  async (place) => {
    const engine = await openEngine(await places[place](), quietLog)
    await migrate(engine)
    const { jobs } = sqlStore(engine)
    const { id } = await make(jobs, [sampleRow(), sampleRow(), sampleRow()], { kind: "giftcard", mode: null })
    const scope = "giftcard:reference"
    const key = (reference: string) => JSON.stringify(["card_a", reference])
    for (const [at, reference] of ["Q3-\u200b1", "Q3-\u200b\u200b1", "日本"].entries()) {
      const claim = { scope, key: key(reference) }
      await jobs.changeRows(id, [{ row: at + 1, from: ["planned"], set: {}, claim }])
    }
    await revertNewestSteps(engine)
    await revertAppTables(engine)
    await sql`delete from kysely_migration where name >= '0026'`.execute(engine.db)
    await migrate(engine)
    expect(await jobs.claims(scope, ["Q3-1", "Q3-\u200b1", "日本"].map(key))).toEqual(
      new Map([
        [key("Q3-1"), { job: id, row: 1 }],
        [key("日本"), { job: id, row: 3 }],
      ]),
    )
    await engine.close()
  },
)

it.each(["newFile", "newDatabase"] as const)(
  "tables named desk_ and their audit entries are renamed (%s)",
  async (place) => {
    const engine = await openEngine(await places[place](), quietLog)
    await migrate(engine)
    await revertNewestSteps(engine)
    await revertAppTables(engine)
    await sql`insert into desk_instance (id, process, beat_at) values ('i1', 'p1', 1)`.execute(engine.db)
    await sql`insert into audit (at, id, actor_id, actor_name, actor_role, action, area, on_kind, on_id, outcome, changes, request_id)
    values (1, 'a1', 'u1', 'Ana', 'admin', 'user.create', 'desk', 'user', 'u2', 'done', '[]', 'r1')`.execute(
      engine.db,
    )
    await sql`delete from kysely_migration where name >= '0027'`.execute(engine.db)
    await migrate(engine)
    expect(await engine.db.selectFrom("app_instance").select("id").execute()).toEqual([{ id: "i1" }])
    expect(await engine.db.selectFrom("audit").select(["id", "area"]).execute()).toEqual([
      { id: "a1", area: "app" },
    ])
    await engine.close()
  },
)

it.each(["newFile", "newDatabase"] as const)(
  "canaries and rows that wait for one keep their data under the new names (%s)",
  async (place) => {
    const engine = await openEngine(await places[place](), quietLog)
    await migrate(engine)
    const { jobs } = sqlStore(engine)
    const { id } = await make(jobs, [sampleRow()])
    const canary = { jobId: id, row: 1, type: "award", memberId: "mem_1", upstreamId: "t" }
    await jobs.watch([{ ...canary, answeredAt: 5, nextAt: 9 }])
    await revertNewestSteps(engine)
    await sql`update job_row set state = 'conflict', outcome_code = 'no_control', outcome_message = ''`.execute(
      engine.db,
    )
    await sql`delete from kysely_migration where name >= '0029'`.execute(engine.db)
    await migrate(engine)
    expect(await jobs.dueCanaries(id, 9, 10)).toMatchObject([canary])
    expect(await jobs.row(id, 1)).toMatchObject({ outcome: { code: "no_canary" } })
    await engine.close()
  },
)

it("refuses a store that a newer version changed", async () => {
  const { database, engine } = opened()
  await migrate(engine)
  database.exec("insert into kysely_migration (name, timestamp) values ('0999-later', '2030-01-01')")
  await expect(migrate(engine)).rejects.toThrow('does not know "0999-later"')
})
