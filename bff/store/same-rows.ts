import { sql } from "kysely"
import { jobIdOf, jobNumberOf } from "../../core/jobs/records.ts"
import { type ComparedRow, type JobStore, rowRecord, type SameRows } from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"
import { recordset, wholeMs } from "./table.ts"

/** More than the rows of any job: a job's number and a row's make one number. */
const rowsOfJob = 10_000_000

export function sameRows(engine: Engine): Pick<JobStore, "sameRows"> {
  return {
    async sameRows(rows, since, own) {
      if (rows.length === 0) return []
      const known = await knownMembers(engine, rows)
      const named = rows.map((row) => namesOf(row, known))
      const counts = await countSame(engine, named, since, own)
      const latest = await readRows(engine, [...new Set([...counts.values()].map((found) => found.latest))])
      return named.map((each, at): SameRows => {
        const found = counts.get(at)
        const key = each?.key ?? ""
        return { key, count: found?.count ?? 0, latest: latest.get(found?.latest ?? 0) ?? null }
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

async function countSame(
  { db, kind }: Engine,
  named: readonly (NamedRow | undefined)[],
  since: number,
  own: Parameters<JobStore["sameRows"]>[2],
): Promise<Map<number, { count: number; latest: number }>> {
  const matches = matchesOf(kind, named)
  if (matches.length === 0) return new Map()
  const number = jobNumberOf(own?.id ?? "") ?? 0
  const startedAt = own?.startedAt ?? null
  const isFirst =
    startedAt === null
      ? sql`1 = 1`
      : sql`(job.prepared = 1 or job.started_at < ${wholeMs(startedAt)}
          or (job.started_at = ${wholeMs(startedAt)} and job.number < ${number}))`
  const found = await sql<{ readonly at: number; readonly count: number; readonly latest: number }>`
    select same.at as at, count(*) as count, max(same.job * ${sql.lit(rowsOfJob)} + same.row) as latest
    from (
      ${sql.join(matches, sql` union `)}
    ) as same
    inner join job_row as earlier on earlier.job = same.job and earlier.row = same.row
    inner join job on job.number = same.job
    where same.job <> ${number} and (
      earlier.state in ('sent', 'unknown')
      or (
        earlier.state in ('confirmed', 'absent', 'conflict')
        and coalesce(earlier.confirmed_at, earlier.sent_at, 0) >= ${wholeMs(since)}
        and not exists (
          select 1 from job_row as back
          where back.reverses_job = same.job and back.reverses_row = same.row and back.state = 'confirmed'
        )
      )
      or (earlier.state = 'planned' and job.state not in ('draft', 'cancelling', 'cancelled') and ${isFirst})
    )
    group by same.at`.execute(db)
  return new Map(found.rows.map((row) => [row.at, row]))
}

interface NamedRow {
  /** What earlier rows are found by: the row's own effect; where only one has a reference, the effect without it. */
  readonly looksFor: readonly { readonly column: EffectColumn; readonly effect: string }[]
  readonly member_id: readonly string[]
  readonly email: readonly string[]
  readonly key: string
}
type EffectColumn = "effect" | "effect_without_reference"

/** The names under which a compared row is looked for; undefined when it is never compared. */
function namesOf(row: ComparedRow, known: Awaited<ReturnType<typeof knownMembers>>): NamedRow | undefined {
  const { memberId, email, effect, effectWithoutReference } = row
  if (effect === null || (memberId === null && email === null)) return undefined
  const ids = memberId === null ? known.idsOf(email ?? "").toSorted() : [memberId]
  const emails = new Set([...(email === null ? [] : [email]), ...ids.flatMap((id) => known.emailsOf(id))])
  const other =
    effectWithoutReference === null
      ? ({ column: "effect_without_reference", effect } as const)
      : ({ column: "effect", effect: effectWithoutReference } as const)
  return {
    looksFor: [{ column: "effect", effect }, other],
    member_id: ids,
    email: [...emails],
    key: JSON.stringify([ids[0] ?? email, effect]),
  }
}

/** For each pair of columns, places of earlier rows that have one of the names in them. */
function matchesOf(kind: Engine["kind"], named: readonly (NamedRow | undefined)[]) {
  return (["member_id", "email"] as const).flatMap((member) =>
    (["effect", "effect_without_reference"] as const).flatMap((column) => {
      const names = named.flatMap((row, at) => {
        const looksFor = row?.looksFor.filter((one) => one.column === column) ?? []
        return looksFor.flatMap(({ effect }) => row?.[member].map((name) => ({ at, effect, name })) ?? [])
      })
      if (names.length === 0) return []
      const given = recordset(kind, { at: "bigint", effect: "text", name: "text" }, names)
      return sql`select given.at, other.job, other.row from ${given} cross join job_row as other
        where other.${sql.ref(member)} = given.name and other.${sql.ref(column)} = given.effect`
    }),
  )
}

async function readRows({ db, kind }: Engine, places: readonly number[]) {
  const records = places.map((place) => ({ job: Math.floor(place / rowsOfJob), row: place % rowsOfJob }))
  const given = recordset(kind, { job: "bigint", row: "bigint" }, records)
  const found = await db
    .selectFrom("job_row")
    .select(["job", "row", "line", "state"])
    .where(sql<boolean>`(job, row) in (select given.job, given.row from ${given})`)
    .execute()
  return new Map(
    found.map(({ job, row, line, state }) => {
      const earlier = { row, line, state: rowRecord.shape.state.parse(state) }
      return [job * rowsOfJob + row, { job: jobIdOf(job), row: earlier }]
    }),
  )
}
