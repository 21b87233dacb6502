import type { Member } from "../../../../contract/program/member.ts"
import type { Answer } from "../../../api/request.ts"

/** How many members there are of one kind; null while it is not known. */
export interface Share {
  readonly value: string
  readonly count: number | null
}

/**
 * Members by status. Two are asked for; the third is the rest, which only holds while no other status was seen: the
 * document lists these three (docs/api/program.md, Member).
 */
export function statusShares(
  everybody: Answer<Member[]>,
  pending: number | undefined,
  inactive: number | undefined,
): readonly Share[] {
  const total = everybody.meta?.total
  const known = new Set(["active", "inactive", "pending"])
  const others = everybody.data.some(({ status }) => status && !known.has(status.toLowerCase()))
  const rest =
    others || total === undefined || pending === undefined || inactive === undefined
      ? null
      : Math.max(0, total - pending - inactive)
  return [
    { value: "active", count: rest },
    { value: "inactive", count: inactive ?? null },
    { value: "pending", count: pending ?? null },
  ]
}

/** Members by tier, as far as they are known. */
export interface TierShares {
  readonly shares: readonly Share[]
  /** Members without a tier, or with one that was not seen. */
  readonly others: number
  /** Of how many: of all, or of those on the page that was read. */
  readonly of: "all" | number
}

/**
 * Members by tier, the largest first. The service does not list tiers: they are those of the page that was read, which
 * is everybody in a small program; else its shares are said to be of that page, until each was counted.
 * @param counted how many each tier has, once somebody asked for it
 */
export function tierShares(
  { data, meta }: Answer<Member[]>,
  counted: ReadonlyMap<string, number> | undefined,
): TierShares {
  const total = meta?.total
  const everybody = total !== undefined && data.length >= total
  const exact = !everybody && counted !== undefined && total !== undefined
  const seen = Map.groupBy(data, ({ tier }) => tier || "")
  const tiers = exact ? [...counted] : [...seen].map(([tier, members]) => [tier, members.length] as const)
  const named = tiers.filter(([tier]) => tier !== "")
  const of = everybody || exact ? "all" : data.length
  const sum = named.reduce((all, [, count]) => all + count, 0)
  return {
    shares: named
      .map(([value, count]) => ({ value, count }))
      .toSorted((one, other) => other.count - one.count),
    others: Math.max(0, (of === "all" ? (total ?? 0) : of) - sum),
    of,
  }
}
