import type { DriftRow } from "../../../../contract/desk/status.ts"

/** What the desk makes of a difference: `success` nothing is lost by it, `warning` somebody should look. */
export interface DriftHandling {
  readonly tone: "success" | "warning"
  readonly words: string
}

/** What the desk makes of one kind of difference (contract/drift.ts names the kinds). */
export function driftHandling({ said, came }: Pick<DriftRow, "said" | "came">): DriftHandling {
  if (came === "null" || came === "missing") return { tone: "success", words: "Shown as empty" }
  if (came === "a further field" || said === "not in the document") {
    return { tone: "success", words: "Passed on unread" }
  }
  return { tone: "warning", words: "Shown as it comes" }
}
