import type { AwardRow, DeductRow } from "../../contract/kinds/points.ts"
import type { Sandbox } from "../../sandbox/app.ts"
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
