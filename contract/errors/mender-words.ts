import type { Mender } from "./entry.ts"

/** Whose job it is to mend an error, by name. */
export const menderNames: Readonly<Record<Mender, string>> = {
  person: "Whoever sent it",
  "desk administrator": "An administrator of this desk",
  "program administrator": "Whoever manages the program’s dashboard",
  service: "The service",
  nobody: "Nobody: it passes",
}

/** The same as a sentence. */
export const menderSentences: Readonly<Record<Mender, string>> = {
  person: "Anybody at the desk can mend this.",
  "desk administrator": "This is for an administrator of this desk.",
  "program administrator": "This is for whoever manages the program’s dashboard.",
  service: "This is for the service to mend.",
  nobody: "Nobody has to mend this.",
}
