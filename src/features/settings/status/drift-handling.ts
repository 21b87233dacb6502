import type { DriftRow } from "../../../../contract/status.ts"

/** What the desk makes of a difference: `success` nothing is lost by it, `warning` somebody should look. */
export interface DriftHandling {
  readonly tone: "success" | "warning"
  readonly words: string
}

/** What the desk makes of one kind of difference (contract/drift.ts names the kinds). */
export function driftHandling({ said, came }: Pick<DriftRow, "said" | "came">): DriftHandling {
  if (came === "null" || came === "missing") return { tone: "success", words: "Shown as empty" }
  if (came === "an extra field" || said === "not documented") {
    return { tone: "success", words: "Passed on as sent" }
  }
  return { tone: "warning", words: "View sent" }
}
