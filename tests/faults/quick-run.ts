import type { Scenario, ScenarioEnd } from "./scenario.ts"

/** A run of seconds that is part of every test of Laurel. */
export interface QuickRun {
  /** What it proves. */
  readonly rule: string
  /** Two apps on a PostgreSQL instead of one on a file. */
  readonly twoApps?: true
  readonly scenario: Omit<Scenario, "name" | "withinMs" | "instances" | "databaseUrl">
  /** How many rows may be left to somebody; all of them when it says nothing. */
  readonly unresolved?: { readonly least?: number; readonly most?: number }
  /** Sentences about what else was missed. */
  readonly missed?: (end: ScenarioEnd) => readonly string[]
}
