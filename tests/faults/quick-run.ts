import type { Scenario, ScenarioEnd } from "./scenario.ts"

/** A run of seconds, part of the test suite. */
export interface QuickRun {
  /** The rule it proves; its test title. */
  readonly rule: string
  /** Two apps on PostgreSQL instead of one on SQLite. */
  readonly twoApps?: true
  readonly scenario: Omit<Scenario, "name" | "withinMs" | "instances" | "databaseUrl">
  /** Bounds of unresolved rows; unlimited by default. */
  readonly unresolved?: { readonly least?: number; readonly most?: number }
  /** Further checks: a sentence for each failure. */
  readonly missed?: (end: ScenarioEnd) => readonly string[]
}
