import { sql } from "kysely"
import { jobIdOf, jobNumberOf } from "../../core/jobs/records.ts"
import { rowRecord } from "../../core/jobs/record-schemas.ts"
import type { ComparedRow, EarlierRow, JobStore, SameRows } from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"
import { recordset, wholeMs } from "./table.ts"

/** More than the rows of any job: a job's number and a row's make one number. */
const rowsOfJob = 10_000_000

/** Recognising rows that were there before. */
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
        return {
          key: each?.key ?? "",
          count: found?.count ?? 0,
          latest: found === undefined ? null : (latest.get(found.latest) ?? null),
        }
      })
    },
  }
}

/** Which e-mails and ids earlier rows know as one member. */
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
    const given = recordset(
      kind,
      { value: "text" },
      [...values].map((value) => ({ value })),
    )
    const found = await sql<{ readonly email: string; readonly member_id: string }>`
      select distinct known.email, known.member_id from ${given} cross join job_row as known
      where known.${sql.ref(by)} = given.value and known.email is not null and known.member_id is not null
        and known.effect is not null`.execute(db)
    return found.rows
  }
}

async function countSame(
  { db, kind }: Engine,
  named: readonly ReturnType<typeof namesOf>[],
  since: number,
  own: Parameters<JobStore["sameRows"]>[2],
): Promise<Map<number, { readonly count: number; readonly latest: number }>> {
  const byEffect = namesBy(named, ({ effects }) => effects)
  const byOther = namesBy(named, ({ withoutReference }) =>
    withoutReference === null ? [] : [withoutReference],
  )
  if (byEffect.length === 0) return new Map()
  const matches = [
    ...matchesOf(kind, byEffect, "member_id", "effect"),
    ...matchesOf(kind, byEffect, "email", "effect"),
    ...matchesOf(kind, byOther, "member_id", "effect_without_reference"),
    ...matchesOf(kind, byOther, "email", "effect_without_reference"),
  ]
  const number = own === undefined ? 0 : (jobNumberOf(own.id) ?? 0)
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
  return new Map(found.rows.map(({ at, count, latest }) => [at, { count, latest }]))
}

/** A compared row under every name its member is known by. */
interface NamedRow {
  /** Effects that make an earlier row the same one: the row's own, and without its reference. */
  readonly effects: readonly string[]
  /** For a row without a reference: the effect that one with a reference has besides it; else null. */
  readonly withoutReference: string | null
  readonly ids: readonly string[]
  readonly emails: readonly string[]
  /** The same for rows that are alike. */
  readonly key: string
}

/** The names under which a compared row is looked for; undefined when it is never compared. */
function namesOf(row: ComparedRow, known: Awaited<ReturnType<typeof knownMembers>>): NamedRow | undefined {
  const { memberId, email, effect, effectWithoutReference } = row
  if (effect === null || (memberId === null && email === null)) return undefined
  const ids = memberId === null ? known.idsOf(email ?? "").toSorted() : [memberId]
  const emails = [
    ...new Set([...(email === null ? [] : [email]), ...ids.flatMap((id) => known.emailsOf(id))]),
  ]
  return {
    effects: effectWithoutReference === null ? [effect] : [effect, effectWithoutReference],
    withoutReference: effectWithoutReference === null ? effect : null,
    ids,
    emails,
    key: JSON.stringify([ids[0] ?? email, effect]),
  }
}

/** One name of a compared row's member, with one of its effects. */
interface Name {
  readonly at: number
  readonly effect: string
  readonly member_id: string | null
  readonly email: string | null
}

function namesBy(
  named: readonly ReturnType<typeof namesOf>[],
  effectsOf: (row: NamedRow) => readonly string[],
): Name[] {
  return named.flatMap((row, at) =>
    row === undefined
      ? []
      : effectsOf(row).flatMap((effect) => [
          ...row.ids.map((id) => ({ at, effect, member_id: id, email: null })),
          ...row.emails.map((email) => ({ at, effect, member_id: null, email })),
        ]),
  )
}

/** Places of rows that have one of the names in these columns; nothing to select from without such a name. */
function matchesOf(
  kind: Engine["kind"],
  names: readonly Name[],
  member: "member_id" | "email",
  effect: "effect" | "effect_without_reference",
) {
  const held = names.flatMap((name) =>
    name[member] === null ? [] : { at: name.at, effect: name.effect, name: name[member] },
  )
  if (held.length === 0) return []
  const given = recordset(kind, { at: "bigint", effect: "text", name: "text" }, held)
  return [
    sql`select given.at, other.job, other.row from ${given} cross join job_row as other
      where other.${sql.ref(member)} = given.name and other.${sql.ref(effect)} = given.effect`,
  ]
}

async function readRows(
  { db, kind }: Engine,
  places: readonly number[],
): Promise<Map<number, { readonly job: string; readonly row: EarlierRow }>> {
  if (places.length === 0) return new Map()
  const given = recordset(
    kind,
    { job: "bigint", row: "bigint" },
    places.map((place) => ({ job: Math.floor(place / rowsOfJob), row: place % rowsOfJob })),
  )
  const found = await db
    .selectFrom("job_row")
    .select(["job", "row", "line", "state"])
    .where(sql<boolean>`(job, row) in (select given.job, given.row from ${given})`)
    .execute()
  return new Map(
    found.map(({ job, row, line, state }) => [
      job * rowsOfJob + row,
      { job: jobIdOf(job), row: { row, line, state: rowRecord.shape.state.parse(state) } },
    ]),
  )
}
