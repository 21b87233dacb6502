import type { Mender } from "./entry.ts"

/** Whose job it is to mend an error, by name. */
export const menderNames: Readonly<Record<Mender, string>> = {
  person: "The person who sent it",
  "Laurel administrator": "A Laurel administrator",
  "program administrator": "A program administrator",
  service: "The service",
  nobody: "No action needed",
}

/** The same as a sentence. */
export const menderSentences: Readonly<Record<Mender, string>> = {
  person: "Anyone who can send it can fix this.",
  "Laurel administrator": "A Laurel administrator has to fix this.",
  "program administrator": "A program administrator has to fix this.",
  service: "The service has to fix this.",
  nobody: "No action needed.",
}
