import type { Api } from "../desk/status.ts"

/** Whose job it is to mend an error. */
export type Mender = "person" | "Laurel administrator" | "program administrator" | "service" | "nobody"

/** A step the desk can offer as a button. */
export type AtlasAction =
  | "correct"
  | "find-member"
  | "look-up-card"
  | "open-connections"
  | "open-status"
  | "open-templates"
  | "resume-job"
  | "retry"
  | "wait"

/** One error of one service: what happened, whose job it is, the next step. */
export interface AtlasEntry {
  readonly api: Api
  readonly status: number
  /** The documented code; null where the document gives none. */
  readonly code: string | null
  /** What is so, in a few words. */
  readonly title: string
  /** What happened and what was not done. */
  readonly happened: string
  readonly whose: Mender
  readonly next: string
  readonly action?: AtlasAction
  /** The whole job is affected, not one row: it pauses after one call (docs/decisions/0002-money.md). */
  readonly systemic: boolean
}

/** Makes the entries of one service. */
export function entriesOf(api: Api, rows: readonly Omit<AtlasEntry, "api">[]): readonly AtlasEntry[] {
  return rows.map((row) => ({ api, ...row }))
}
