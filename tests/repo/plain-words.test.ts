import { expect, it } from "vitest"
import { sources } from "./tree.ts"

/** Phrases of comments and test titles that plain technical English does without. */
const phrases = [
  "stands",
  "stood",
  "somebody",
  "nobody",
  "whoever",
  "beside",
  "anew",
  "hindrance",
  "for ever",
  "goes on",
  "go on",
  "went on",
  "comes to its end",
  "lies with",
  "is told",
  "are told",
  "was told",
  "says so",
  "is asked for",
  "once more",
  "at once",
  "by itself",
  "by themselves",
  "of its own",
  "of their own",
  "of our own",
  "as long as",
  "so many",
  "as many as",
  "there is no use",
  "in doubt",
  "without a word",
  "need not",
  "wherever",
  "likewise",
  "seldom",
]

/** Words of identifiers, each a whole word of the name, for which the field has a usual term. */
const nameWords = new Set([
  "hindrance",
  "told",
  "heard",
  "beside",
  "gone",
  "asked",
  "kept",
  "doubtful",
  "marked",
  "singly",
  "looks",
  "anew",
])

/** The most there may be. Lower a figure when the count is lower; never raise one. */
const limits = { comments: 3, titles: 0, names: 42 }

const phrase = new RegExp(String.raw`\b(?:${phrases.join("|")})\b`, "gi")
const literal = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g
const title = /\b(?:it|test|describe)(?:\.each\([^)]*\))?\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g

const files = sources("contract", "core", "bff", "sandbox", "src", "tests", "scripts")
const matches = (kind: string, texts: (text: string) => readonly string[]) =>
  files.flatMap(({ path, text }) =>
    texts(text).flatMap((part) => (part.match(phrase) ?? []).map((word) => `${path}: ${kind} "${word}"`)),
  )

it("comments use at most the known number of unplain phrases", () => {
  const found = matches("comment", (text) => text.match(comment) ?? [])
  expect(found.length <= limits.comments || found).toBe(true)
})

it("test titles use at most the known number of unplain phrases", () => {
  const found = matches("title", (text) => [...text.matchAll(title)].map((match) => match[2] ?? ""))
  expect(found.length <= limits.titles || found).toBe(true)
})

it("identifiers use at most the known number of unplain words", () => {
  const found = files.flatMap(({ path, text }) => {
    const code = text.replace(comment, " ").replace(literal, " ")
    const names = new Set(code.match(/\b[A-Za-z]\w*\b/g))
    return [...names]
      .filter((name) => wordsOf(name).some((word) => nameWords.has(word)))
      .map((name) => `${path}: ${name}`)
  })
  expect(found.length <= limits.names || found).toBe(true)
})

/** The words of a name in camelCase, PascalCase or snake_case, in lower case. */
function wordsOf(name: string): string[] {
  return name.split(/_|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase())
}
