import { memberUpdateFields, type MemberUpdateRow } from "../../contract/kinds/member-update.ts"
import type { AwardRow, DeductRow } from "../../contract/kinds/points.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import type { MemberRecord } from "../../sandbox/store/records.ts"
import type { Random } from "./random.ts"

const reasons = ["Q3 bonus", "Sprint week 12", "Training module", "Zürich · Prämie ✓", "Referral of a dealer"]

/** Ids of the sandbox's first members. */
export function memberIds(sandbox: Sandbox, count: number): string[] {
  const { members } = sandbox.store
  return Array.from({ length: Math.min(count, members.count) }, (_, at) => members.idAt(at))
}

/**
 * Awards as in a file: mostly one per member, some members repeated.
 * @param share shares of rows that name their member by e-mail, and that have their own reference and so are sent
 * alone
 */
export function awardRows(
  sandbox: Sandbox,
  count: number,
  random: Random,
  share: { readonly byEmail?: number; readonly referenced?: number } = {},
): AwardRow[] {
  const { byEmail = 0, referenced = 0 } = share
  const ids = memberIds(sandbox, Math.ceil(count * 0.95))
  return Array.from({ length: count }, (_, at): AwardRow => {
    const id = ids[at] ?? random.pick(ids)
    const email = random.next() < byEmail ? sandbox.store.members.get(id)?.email : undefined
    return {
      ...(email === undefined ? { member_id: id } : { email }),
      points: random.integer(1, 500),
      reason: random.pick(reasons),
      ...(random.next() < referenced && { reference: `INV-${random.integer(1, 9999)}` }),
    }
  })
}

/** Deductions within each member's balance. */
export function deductRows(sandbox: Sandbox, count: number, random: Random): DeductRow[] {
  const able = memberIds(sandbox, sandbox.store.members.count).filter(
    (id) => (sandbox.store.members.get(id)?.balance ?? 0) > 100,
  )
  return Array.from({ length: count }, (_, at) => ({
    member_id: able[at % able.length] ?? "",
    points: random.integer(1, 20),
    reason: random.pick(reasons),
  }))
}

/** New members; every tenth already exists. */
export function newMemberRows(sandbox: Sandbox, count: number, random: Random) {
  return Array.from({ length: count }, (_, at) => ({
    email:
      at % 10 === 9
        ? (sandbox.store.members.get(sandbox.store.members.idAt(at))?.email ?? "")
        : `new.dealer.${at}.${random.integer(1, 1e6)}@dealer.example`,
    first_name: "Noa",
    last_name: `Dealer ${at}`,
    company: "Coastal Climate Co",
  }))
}

/**
 * Changes of as many members.
 * @param share shares of rows that name their member by e-mail, and that say what they expect
 */
export function memberUpdateRows(
  sandbox: Sandbox,
  count: number,
  random: Random,
  share: { readonly byEmail?: number; readonly expected?: number } = {},
): MemberUpdateRow[] {
  const { byEmail = 0.2, expected = 0.5 } = share
  return memberIds(sandbox, count).map((id, at): MemberUpdateRow => {
    const member = sandbox.store.members.get(id)
    const whom = member !== undefined && random.next() < byEmail ? { email: member.email } : { member_id: id }
    return {
      ...whom,
      company: random.next() < 0.2 ? "" : `Northern Air ${at}`,
      ...(random.next() < 0.5 && { status: random.pick(["active", "inactive"] as const) }),
      ...(random.next() < 0.5 && { phone: `0400 000 ${String(at).padStart(3, "0")}` }),
      ...(member !== undefined &&
        random.next() < expected && {
          expected: { company: member.company, phone: member.phone, status: member.status },
        }),
    }
  })
}

/** Copies of all members. */
export function copyMembers(sandbox: Sandbox): MemberRecord[] {
  const { members } = sandbox.store
  return memberIds(sandbox, members.count).flatMap((id) => structuredClone(members.get(id)) ?? [])
}

/**
 * A sentence for each member that is neither as wanted nor, if `left`, as before, and for each that was changed unasked.
 * @param left members whose change was left to a person
 */
export function missedMembers(
  sandbox: Sandbox,
  before: readonly MemberRecord[],
  rows: readonly MemberUpdateRow[],
  left: ReadonlySet<string> = new Set(),
): string[] {
  const byName = new Map(rows.map((row) => [row.member_id ?? row.email, row]))
  return before.flatMap((was) => {
    const row = left.has(was.id) ? undefined : (byName.get(was.id) ?? byName.get(was.email))
    const is = sandbox.store.members.get(was.id)
    return memberUpdateFields.flatMap((field) => {
      const wanted = (row?.[field] ?? was[field]) || null
      const found = is?.[field] || null
      return wanted === found ? [] : [`${field} of ${was.id} is ${String(found)}, not ${String(wanted)}`]
    })
  })
}
