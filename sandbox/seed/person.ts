import { between, codeFrom, mix, pick, randomFrom } from "../random.ts"
import { joinedAt, type SeedBase } from "./base.ts"
import { companyAt, companyCount, type Company } from "./companies.ts"
import { featured } from "./featured.ts"
import { firstNames, lastNames } from "./names.ts"

/** Who a seeded member is, without the ledger. */
export interface SeedPerson {
  readonly id: string
  readonly first: string
  readonly last: string
  /** Proposed address; the member table numbers a second one. */
  readonly email: string
  readonly company: Company
  readonly tier: string
  readonly status: string
  readonly joined: number
}

const tiers = ["Bronze", "Silver", "Gold", "Platinum"] as const

/** Makes the people of a base; companies are made once. */
export function personMaker(base: SeedBase): (index: number) => SeedPerson {
  const companies: Company[] = []
  const total = companyCount(base.members)
  const companyOf = (index: number): Company => (companies[index] ??= companyAt(base, index))

  return (index) => {
    const joined = joinedAt(base, index)
    const id = `mem_${codeFrom(8, base.number, 21, index)}`
    const known = featured[index]
    if (known !== undefined) return { ...known, id: known.id ?? id, status: "active", joined }
    const random = randomFrom(base.number, 22, index)
    const first = pick(random, firstNames)
    const last = pick(random, lastNames)
    const company = companyOf(mix(base.number, 23, index) % total)
    return {
      id,
      first,
      last,
      email: `${localPart(first, last, Math.floor(random() * 4))}@${company.domain}`,
      company,
      tier: tierFrom(random()),
      status: statusFrom(random(), index / base.members),
      joined,
    }
  }
}

/** What the program keeps beside a member: dealer code, refrigerant licence, region. */
export function personMetadata(base: SeedBase, index: number, person: SeedPerson): Record<string, unknown> {
  const random = randomFrom(base.number, 24, index)
  const data: Record<string, unknown> = {
    dealer_code: person.company.dealerCode,
    arc_licence: index === 0 ? "AU38122" : `AU${between(random, 10_000, 99_999)}`,
    region: person.company.place[2],
  }
  if (random() < 0.25) data["role"] = pick(random, ["installer", "sales", "owner", "apprentice"])
  if (random() < 0.1) data["newsletter"] = random() < 0.7
  return data
}

/** A landline in the range that is kept free for fiction. */
export function personPhone(base: SeedBase, index: number, person: SeedPerson): string {
  const last = String(mix(base.number, 25, index) % 10_000).padStart(4, "0")
  return `+61 ${person.company.place[3]} 5550 ${index === 0 ? "0182" : last}`
}

function localPart(first: string, last: string, form: number): string {
  const [a, b] = [first.toLowerCase(), last.toLowerCase()]
  if (form === 0) return a
  if (form === 1) return `${a.slice(0, 1)}.${b}`
  return `${a}.${b}`
}

function tierFrom(share: number): string {
  return tiers[share < 0.5 ? 0 : share < 0.78 ? 1 : share < 0.94 ? 2 : 3]
}

/** Mostly active; some gone quiet; a few of the newest still waiting. */
function statusFrom(share: number, place: number): string {
  if (place > 0.97 && share < 0.35) return "pending"
  return share > 0.94 ? "inactive" : "active"
}
