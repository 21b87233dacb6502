import type { RankingRoles } from "../../../contract/settings.ts"
import { inferRoles } from "./infer-roles.ts"
import { roleFields } from "./role-fields.ts"
import type { RowFields } from "./row-fields.ts"

/** What holds for a ranking, and where it comes from. */
export interface ResolvedRoles {
  readonly roles: RankingRoles
  /** Fields somebody chose that no row has any more: what was recognised holds in their place. */
  readonly gone: readonly string[]
}

/** What a person said of a board, where its fields still come; else what is recognised. */
export function resolveRoles(rows: readonly RowFields[], saved: RankingRoles | undefined): ResolvedRoles {
  const inferred = inferRoles(rows)
  if (saved === undefined || rows.length === 0) return { roles: saved ?? inferred, gone: [] }
  const taken = roleFields(saved)
  const comes = (field: string) => rows.some((row) => row.has(field))
  const one = (role: "rank" | "member" | "note" | "score") => {
    const field = saved[role]
    if (field === null || comes(field)) return field
    const instead = inferred[role]
    return instead !== null && taken.has(instead) ? null : instead
  }
  return {
    roles: {
      rank: one("rank"),
      member: one("member"),
      name: saved.name.every(comes) ? saved.name : inferred.name.filter((field) => !taken.has(field)),
      note: one("note"),
      score: one("score"),
    },
    gone: [...taken].filter((field) => !comes(field)),
  }
}
