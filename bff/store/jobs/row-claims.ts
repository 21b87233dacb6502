import { sql } from "kysely"
import { jobIdOf } from "../../../core/job-data/job-number.ts"
import { isSameOwner, type Claims, type Owner } from "../../../core/job-data/row-change.ts"
import type { Claim, RowChange } from "../../../core/jobs/job-store.ts"
import { recordset } from "../recordset.ts"
import type { HeldJob } from "./held-job.ts"

interface ClaimColumns extends Claim {
  readonly job: number
  readonly row: number
}

const claimKeys = { scope: "text", key: "text" } as const
const claimColumns = { ...claimKeys, job: "bigint", row: "bigint" } as const

/** Claims that changes name, held until the transaction ends. */
export interface HeldClaims extends Claims {
  /** Writes down whose they are now. */
  keep(): Promise<void>
}

/**
 * Holds every claim that the changes name: what nobody had is taken for this job, so that no other transaction can
 * take it meanwhile; what is not needed in the end is given back by `keep`. Always in the same order, so that two
 * transactions never wait for each other.
 */
export async function holdClaims(job: HeldJob, changes: readonly RowChange[]): Promise<HeldClaims> {
  const wanted = distinct(
    changes.flatMap(({ claim, row }) => (claim === undefined ? [] : [{ ...claim, row }])),
  )
  const named = distinct([...wanted, ...changes.flatMap(({ release }) => release ?? [])])
  const taken = new Map<string, Owner>()
  const others = new Map<string, Owner>()
  const isKnown = (claim: Claim) => taken.has(keyOf(claim)) || others.has(keyOf(claim))
  // One that was another's can be given back before it is looked at: then it is asked for again.
  for (let missing = wanted; missing.length > 0; missing = missing.filter((claim) => !isKnown(claim))) {
    for (const claim of await insertClaims(job, missing)) taken.set(keyOf(claim), ownerOf(claim))
    const rest = named.filter((claim) => !isKnown(claim))
    for (const claim of await readClaims(job, rest)) others.set(keyOf(claim), ownerOf(claim))
  }
  if (wanted.length === 0)
    for (const claim of await readClaims(job, named)) others.set(keyOf(claim), ownerOf(claim))

  const owners = new Map(others)
  return {
    ownerOf: (claim) => owners.get(keyOf(claim)),
    take: (claim, owner) => void owners.set(keyOf(claim), owner),
    give: (claim) => void owners.delete(keyOf(claim)),
    async keep() {
      const kept = new Map([...others, ...taken])
      const moved = named.filter((claim) => !isSameOwner(kept.get(keyOf(claim)), owners.get(keyOf(claim))))
      await deleteClaims(job, moved)
      const again = moved.flatMap(({ scope, key }) => {
        const owner = owners.get(keyOf({ scope, key }))
        return owner === undefined ? [] : [{ scope, key, row: owner.row }]
      })
      await insertClaims(job, again)
    },
  }
}

async function insertClaims(job: HeldJob, claims: readonly (Claim & { readonly row: number })[]) {
  if (claims.length === 0) return []
  const given = claims.map(({ scope, key, row }) => ({ scope, key, row, job: job.number }))
  const { rows } = await sql<ClaimColumns>`
    insert into job_claim (scope, key, job, row)
    select scope, key, job, row from ${recordset(job.kind, claimColumns, given)} where true
    on conflict do nothing returning scope, key, job, row`.execute(job.within)
  return rows
}

async function readClaims(job: HeldJob, claims: readonly Claim[]) {
  if (claims.length === 0) return []
  const { rows } = await sql<ClaimColumns>`
    select held.scope, held.key, held.job, held.row from ${recordset(job.kind, claimKeys, claims)}
    cross join job_claim as held where held.scope = given.scope and held.key = given.key`.execute(job.within)
  return rows
}

async function deleteClaims(job: HeldJob, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  await sql`
    delete from job_claim where job = ${job.number} and (scope, key) in
    (select scope, key from ${recordset(job.kind, claimKeys, claims)})`.execute(job.within)
}

/** Each once, in the order in which they are taken. */
function distinct<C extends Claim>(claims: readonly C[]): C[] {
  const byKey = new Map<string, C>()
  for (const claim of claims) if (!byKey.has(keyOf(claim))) byKey.set(keyOf(claim), claim)
  return [...byKey.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, claim]) => claim)
}

function keyOf({ scope, key }: Claim): string {
  return JSON.stringify([scope, key])
}

function ownerOf({ job, row }: ClaimColumns): Owner {
  return { job: jobIdOf(job), row }
}
