import type { Member } from "../../../../contract/program/member.ts"

/** What members that were read so far show: the service lists neither tiers nor metadata keys. */
export interface Observed {
  readonly tiers: readonly string[]
  readonly metadataKeys: readonly string[]
}

/** More keys than anybody wants to choose from are not offered. */
const mostKeys = 40

/** Tiers and metadata keys of members, each in its usual order. */
export function observedIn(members: readonly Member[]): Observed {
  const tiers = new Set<string>()
  const keys = new Set<string>()
  for (const member of members) {
    if (typeof member.tier === "string" && member.tier !== "") tiers.add(member.tier)
    for (const key of Object.keys(member.metadata ?? {})) keys.add(key)
  }
  return { tiers: ordered(tiers), metadataKeys: ordered(keys).slice(0, mostKeys) }
}

function ordered(values: ReadonlySet<string>): string[] {
  return [...values].toSorted((one, other) => one.localeCompare(other, "en-AU", { numeric: true }))
}
