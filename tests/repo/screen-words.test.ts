import { describe, expect, it } from "vitest"
import { sources } from "./tree.ts"

/** Replaced phrases that must not return on a screen, in an error or in an export. */
const replacedPhrases = [
  "As of just now",
  "Read again",
  "in all",
  "From a file",
  "Lately",
  "is short",
  "are short",
  "came to an end",
  "What you typed is not saved",
  ", too many",
  "In bulk",
  "Singly",
  "takes what people do not need",
  "In several rows",
  "Usual award",
  "Not seen before",
  "is tried as it was",
  "Needs somebody",
  "Put to a person",
  "settled otherwise",
  "On what",
  "Tried failed rows",
  "Show what was changed",
  "Ending first",
  "entered by itself",
  "The card template is not there",
  "was not produced",
  "charges what it charges",
  "Days begin and end there",
  "End the reasons",
  "Offered",
  "none is set",
  "Half of answers",
  "95 of 100",
  "Whose job",
  "it passes",
  "What it rests on",
  "How this is read",
  "Against the leader",
  "Also sent",
  "Came by",
  "First row as sent",
  "who stands where",
  "Name, on this page",
  "Forgotten?",
  "As the system",
  "Roomy",
  "Tell me when",
  "needs manager",
  "Waiting for its parcel",
  "as the service says",
  "Redeemed at this desk",
  "worked out",
  "Not tried here yet",
  "on top of what is there now",
  "what is there now",
  "Sorted as the service sends them",
  "Before that",
  "drop this order",
  "Number of the carrier",
  "Outbox empty",
  "Address not known here",
  "No page is called",
  "a part that is not there yet",
  "You see your own jobs",
]

/** Words that are not used on screens. */
const unusedWords =
  /\b(somebody|anybody|nobody|whoever|lately|mend(s|ed)?|sendAlone|stands? still|taken? back)\b/i

const shown = sources("contract", "core", "src", "bff").filter(
  ({ path }) => !/\.(test|gen)\.tsx?$|\/migrations\.ts$/.test(path),
)

describe("words on screens", () => {
  it.each(replacedPhrases)("“%s” is not used", (phrase) => {
    const pattern = new RegExp(`(?<![A-Za-z])${escaped(phrase)}(?![A-Za-z])`)
    const matches = shown.flatMap(({ path, text }) =>
      textsOf(text)
        .filter((one) => pattern.test(one))
        .map((one) => `${path}: ${one}`),
    )
    expect(matches).toEqual([])
  })

  it("are plain words", () => {
    const matches = shown.flatMap(({ path, text }) =>
      textsOf(text)
        .filter((one) => unusedWords.test(one))
        .map((one) => `${path}: ${one}`),
    )
    expect(matches).toEqual([])
  })

  it("texts are found in strings, templates and markup, not in code or comments", () => {
    const sample = [
      'const title = "Lately loaded" // Lately in a comment',
      "const words = `${count} in all`",
      "return (",
      "  <p>",
      "    Sent singly, as the",
      "    service says.",
      "  </p>",
      ")",
      "const nobody = somebody()",
    ].join("\n")
    expect(textsOf(sample)).toEqual(["Lately loaded", "${} in all", "Sent singly, as the service says."])
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.?*+^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Visible texts of a source file: string and template literals that contain a space, and the text of markup. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "")
  const strings = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template]) => plain ?? template?.replaceAll(/\$\{[^}]*\}/g, "${}") ?? "",
  )
  const markup = [...code.matchAll(/>([^<>{}]*)(?=[<{])/g), ...code.matchAll(/\}([^<>{}]*)(?=<)/g)]
    .map(([, text = ""]) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => !/[;=()[\]|&]/.test(text))
  return [...strings, ...markup].filter(
    (text) => /[A-Za-z]/.test(text) && !/^[a-z][\w-]*$|^\.{1,2}\//.test(text),
  )
}
