import { type RawBuilder, sql } from "kysely"
import { recentDays, repeatDays } from "../../contract/earlier-awards.ts"
import { formatJobId, parseJobId } from "../../core/jobs/job-record.ts"
import {
  type ComparedRow,
  type JobStore,
  type RelatedRow,
  rowRecord,
  type SameRows,
} from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"
import { recordset, wholeMs } from "./table.ts"

/** More than the rows of any job: a job's number and a row's make one number. */
const rowsOfJob = 10_000_000
const recentMs = (repeatDays - recentDays) * 86_400_000

type Own = Parameters<JobStore["sameRows"]>[2]

export function sameRows(engine: Engine): Pick<JobStore, "sameRows"> {
  return {
    async sameRows(rows, since, own) {
      if (rows.length === 0) return []
      const known = await knownMembers(engine, rows)
      const named = rows.map((row) => namesOf(row, known))
      const counts = await countSame(engine, named, since, own)
      const related = await relatedRows(engine, named, since, own)
      const places = [...counts.values()].flatMap(({ latest }) => latest ?? [])
      const latest = await readRows(engine, [...new Set(places)])
      return named.map((each, at): SameRows => {
        const found = counts.get(at)
        return {
          key: each?.key ?? "",
          count: found?.count ?? 0,
          latest: latest.get(found?.latest ?? 0) ?? null,
          reversal: found?.reversal == null ? null : formatJobId(found.reversal),
          purposeKey: each?.purposeKey ?? "",
          related: related.get(at) ?? [],
        }
      })
    },
  }
}

async function knownMembers({ db, kind }: Engine, rows: readonly ComparedRow[]) {
  const emails = new Set(rows.flatMap(({ memberId, email }) => (memberId === null ? (email ?? []) : [])))
  const ids = new Set(rows.flatMap(({ memberId }) => memberId ?? []))
  const byEmail = await pairs("email", emails)
  for (const { member_id } of byEmail) ids.add(member_id)
  const byId = await pairs("member_id", ids)
  const idsOf = Map.groupBy(byEmail, ({ email }) => email)
  const emailsOf = Map.groupBy(byId, ({ member_id }) => member_id)
  return {
    idsOf: (email: string) => (idsOf.get(email) ?? []).map(({ member_id }) => member_id),
    emailsOf: (id: string) => (emailsOf.get(id) ?? []).map(({ email }) => email),
  }

  async function pairs(by: "email" | "member_id", values: ReadonlySet<string>) {
    if (values.size === 0) return []
    const records = [...values].map((value) => ({ value }))
    const given = recordset(kind, { value: "text" }, records)
    const found = await sql<{ readonly email: string; readonly member_id: string }>`
      select distinct known.email, known.member_id from ${given} cross join job_row as known
      where known.${sql.ref(by)} = given.value and known.email is not null and known.member_id is not null
        and known.effect is not null`.execute(db)
    return found.rows
  }
}

interface SameCount {
  readonly at: number
  readonly count: number
  readonly latest: number | null
  readonly reversal: number | null
}

async function countSame(
  engine: Engine,
  named: readonly (NamedRow | undefined)[],
  since: number,
  own: Own,
): Promise<Map<number, SameCount>> {
  const matches = matchesOf(engine.kind, named, ["effect", "effect_without_reference"])
  if (matches.length === 0) return new Map()
  const isNotBack = sql`(coalesce(back.state, '') <> 'confirmed' and ${isNotDecided(engine.kind)})`
  const found = await sql<SameCount>`
    select same.at as at,
      cast(sum(case when ${isUnderWay} then 0 else 1 end) as bigint) as count,
      max(case when ${isUnderWay} then null else same.job * ${sql.lit(rowsOfJob)} + same.row end) as latest,
      max(case when ${isUnderWay} then back.job end) as reversal
    from (${sql.join(matches, sql` union `)}) as same
    ${earlierRows(since, own, isNotBack)}
    group by same.at`.execute(engine.db)
  return new Map(found.rows.map((row) => [row.at, row]))
}

interface RelatedColumns {
  readonly at: number
  readonly job: number
  readonly row: number
  readonly line: number | null
  readonly state: string
  readonly points: number | null
  readonly decision: string | null
  readonly correction: string | null
  readonly sent_at: number | null
  readonly confirmed_at: number | null
  readonly back_job: number | null
  readonly back_row: number | null
  readonly back_state: string | null
  readonly back_decision: string | null
  readonly under_way: number
  readonly taken: number
}

async function relatedRows(
  engine: Engine,
  named: readonly (NamedRow | undefined)[],
  since: number,
  own: Own,
): Promise<Map<number, RelatedRow[]>> {
  const matches = matchesOf(engine.kind, named, ["purpose"])
  if (matches.length === 0) return new Map()
  const isBack = sql`(back.state = 'confirmed' or not ${isNotDecided(engine.kind)})`
  // An award that was corrected is reversed by what was left of it.
  const isLeft = sql`(not ${isBack} or earlier.points + coalesce(back.points, 0) <> 0)`
  const { rows } = await sql<RelatedColumns>`
    select same.at as at, earlier.job as job, earlier.row as row, earlier.line as line, earlier.state as state,
      earlier.points as points, earlier.decision as decision, earlier.correction as correction,
      earlier.sent_at as sent_at, earlier.confirmed_at as confirmed_at,
      back.job as back_job, back.row as back_row, back.state as back_state, back.decision as back_decision,
      case when ${isUnderWay} then 1 else 0 end as under_way,
      case when ${isUnderWay} or ${isBack} then -coalesce(back.points, 0) else 0 end as taken
    from (${sql.join(matches, sql` union `)}) as same
    ${earlierRows(since, own, isLeft)}
      and (earlier.purpose like '["reference"%' or earlier.confirmed_at is null
        or earlier.confirmed_at >= ${wholeMs(since + recentMs)})
    order by same.at, earlier.job, earlier.row`.execute(engine.db)
  const { state, decision } = rowRecord.shape
  const isDecided = (text: string | null) => text !== null && decision.parse(JSON.parse(text)) !== null
  const related = rows.map((row): readonly [number, RelatedRow] => [
    row.at,
    {
      job: formatJobId(row.job),
      row: row.row,
      line: row.line,
      state: state.parse(row.state),
      points: row.points,
      decision: decision.parse(row.decision === null ? null : JSON.parse(row.decision)),
      isCorrection: row.correction !== null,
      taken: row.taken,
      sentAt: row.sent_at,
      confirmedAt: row.confirmed_at,
      reversal:
        row.back_job === null
          ? null
          : {
              job: formatJobId(row.back_job),
              row: row.back_row ?? 0,
              isUnderWay: row.under_way === 1,
              state: state.parse(row.back_state),
              isDecided: isDecided(row.back_decision),
            },
    },
  ])
  return new Map(
    [...Map.groupBy(related, ([at]) => at)].map(([at, found]) => [at, found.map(([, one]) => one)]),
  )
}

/** Whether an earlier row is being taken back. */
const isUnderWay = sql`(back.state in ('sent', 'unknown')
  or (back.state = 'planned' and reversal.state in ('running', 'paused')))`

/** No person decided that a reversal of an earlier row was carried out. */
function isNotDecided(kind: Engine["kind"]) {
  const decision =
    kind === "postgres"
      ? sql`back.decision::json ->> 'decision'`
      : sql`json_extract(back.decision, '$.decision')`
  return sql`coalesce(${decision}, '') <> 'happened'`
}

/**
 * The rows at the places `same` that were done or may be, each with the row that is to take it `back`; `isLeft`: which
 * of those that were done count although they may have been taken back.
 */
function earlierRows(since: number, own: Own, isLeft: RawBuilder<unknown>) {
  const number = parseJobId(own?.id ?? "") ?? 0
  const startedAt = own?.startedAt ?? null
  const isFirst =
    startedAt === null
      ? sql`1 = 1`
      : sql`(job.prepared = 1 or job.started_at < ${wholeMs(startedAt)}
          or (job.started_at = ${wholeMs(startedAt)} and job.number < ${number}))`
  return sql`
    inner join job_row as earlier on earlier.job = same.job and earlier.row = same.row
    inner join job on job.number = same.job
    left join job_row as back on back.reverses_job = same.job and back.reverses_row = same.row
    left join job as reversal on reversal.number = back.job
    where same.job <> ${number} and (
      earlier.state in ('sent', 'unknown')
      or (
        earlier.state in ('confirmed', 'absent', 'conflict')
        and coalesce(earlier.confirmed_at, earlier.sent_at, 0) >= ${wholeMs(since)}
        and ${isLeft}
      )
      or (earlier.state = 'planned' and job.state not in ('draft', 'cancelling', 'cancelled') and ${isFirst})
    )`
}

interface NamedRow {
  /**
   * What earlier rows are found by: the row's own effect; where only one has a reference, the effect without it; and
   * what it is for.
   */
  readonly looksFor: readonly { readonly column: ComparedColumn; readonly text: string }[]
  readonly member_id: readonly string[]
  readonly email: readonly string[]
  readonly key: string
  readonly purposeKey: string
}
type ComparedColumn = "effect" | "effect_without_reference" | "purpose"

/** The names under which a compared row is looked for; undefined when it is never compared. */
function namesOf(row: ComparedRow, known: Awaited<ReturnType<typeof knownMembers>>): NamedRow | undefined {
  const { memberId, email, effect, effectWithoutReference, purpose } = row
  if ((effect ?? purpose) === null || (memberId === null && email === null)) return undefined
  const ids = memberId === null ? known.idsOf(email ?? "").toSorted() : [memberId]
  const emails = new Set([...(email === null ? [] : [email]), ...ids.flatMap((id) => known.emailsOf(id))])
  const looksFor = [
    ...(effect === null ? [] : [{ column: "effect", text: effect } as const]),
    ...(effect === null || effectWithoutReference !== null
      ? []
      : [{ column: "effect_without_reference", text: effect } as const]),
    ...(effectWithoutReference === null ? [] : [{ column: "effect", text: effectWithoutReference } as const]),
    ...(purpose === null ? [] : [{ column: "purpose", text: purpose } as const]),
  ]
  const member = ids[0] ?? email
  return {
    looksFor,
    member_id: ids,
    email: [...emails],
    key: JSON.stringify([member, effect]),
    purposeKey: JSON.stringify([member, purpose]),
  }
}

/** For each pair of columns, places of earlier rows that have one of the names in them. */
function matchesOf(
  kind: Engine["kind"],
  named: readonly (NamedRow | undefined)[],
  columns: readonly ComparedColumn[],
) {
  return (["member_id", "email"] as const).flatMap((member) =>
    columns.flatMap((column) => {
      const names = named.flatMap((row, at) => {
        const looksFor = row?.looksFor.filter((one) => one.column === column) ?? []
        return looksFor.flatMap(({ text }) => row?.[member].map((name) => ({ at, text, name })) ?? [])
      })
      if (names.length === 0) return []
      const given = recordset(kind, { at: "bigint", text: "text", name: "text" }, names)
      return sql`select given.at, other.job, other.row from ${given} cross join job_row as other
        where other.${sql.ref(member)} = given.name and other.${sql.ref(column)} = given.text`
    }),
  )
}

async function readRows({ db, kind }: Engine, places: readonly number[]) {
  const records = places.map((place) => ({ job: Math.floor(place / rowsOfJob), row: place % rowsOfJob }))
  const given = recordset(kind, { job: "bigint", row: "bigint" }, records)
  const found = await db
    .selectFrom("job_row")
    .select(["job", "row", "line", "state", "sent_at", "confirmed_at"])
    .where(sql<boolean>`(job, row) in (select given.job, given.row from ${given})`)
    .execute()
  return new Map(
    found.map(({ job, row, line, state, ...times }) => {
      const at = { sentAt: times.sent_at, confirmedAt: times.confirmed_at }
      const earlier = { row, line, state: rowRecord.shape.state.parse(state), ...at }
      return [job * rowsOfJob + row, { job: formatJobId(job), row: earlier }]
    }),
  )
}
