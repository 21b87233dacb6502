import type { ScenarioEnd } from "./scenario.ts"

/** What a run got wrong: everything that is lost, doubled, without a row, or denied. Prints how it ended. */
export function nothingLost({ counts, lines }: Pick<ScenarioEnd, "counts" | "lines">): readonly string[] {
  process.stdout.write(`${lines.join("\n")}\n`)
  return counts.notes.filter((note) => !note.startsWith("U"))
}
