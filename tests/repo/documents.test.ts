import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { describe, expect, it } from "vitest"
import { root, sources } from "./tree.ts"

const documents = new Map(
  [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => posix.join("docs", path.replaceAll("\\", "/"))),
  ].map((path) => [path, readFileSync(join(root, path), "utf8")] as const),
)
const code = sources("contract", "core", "bff", "sandbox", "src", "scripts", "tests").filter(
  ({ path }) => path !== "tests/repo/documents.test.ts",
)

describe("a document cited in a comment", () => {
  it("exists, and so does the heading after it", () => {
    const broken = code.flatMap(({ path, text }) =>
      brokenCitations(text).map((citation) => `${path} cites ${citation}`),
    )
    expect(broken).toEqual([])
  })

  it.each([
    ["// See docs/never.md.", "docs/never.md"],
    ["/** docs/jobs.md, Never written */", "docs/jobs.md, Never written"],
    ["/**\n * The five counts (docs/jobs.md,\n * The six counts).\n */", "docs/jobs.md, The six counts"],
    ["// docs/api/program.md, Members, rule 9", "docs/api/program.md, Members, rule 9"],
  ])("is reported when it does not: %s", (comment, citation) => {
    expect(brokenCitations(comment)).toEqual([citation])
  })

  it("may be followed by more words than the heading", () => {
    expect(brokenCitations("// docs/api/giftcard.md, Errors, does not list 405")).toEqual([])
    expect(brokenCitations("// Absence (docs/jobs.md,\n// Absence): facts in, verdict out.")).toEqual([])
  })
})

describe("a document", () => {
  it("links to files and headings that exist", () => {
    const broken = [...documents].flatMap(([path, text]) =>
      [...withoutCode(text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !isLink(path, target))
        .map((target) => `${path} links to ${target}`),
    )
    expect(broken).toEqual([])
  })

  it("names source files and folders that exist", () => {
    const broken = [...documents].flatMap(([path, text]) =>
      [...text.matchAll(/`((?:contract|core|bff|sandbox|src|scripts|tests|deploy)\/[\w./-]+)`/g)]
        .map(([, named = ""]) => named)
        .filter((named) => !existsSync(join(root, named)))
        .map((named) => `${path} names ${named}`),
    )
    expect(broken).toEqual([])
  })

  it("that records a decision has at most 40 lines", () => {
    const long = [...documents]
      .filter(([path, text]) => path.startsWith("docs/decisions/0") && text.split("\n").length - 1 > 40)
      .map(([path]) => path)
    expect(long).toEqual([])
  })
})

/** Citations of a text's comments, such as `docs/jobs.md, Absence`, whose document, heading or rule does not exist. */
function brokenCitations(text: string): string[] {
  const citation = /\bdocs\/[\w/-]+\.md(?:, [A-Z][^.;:)*,"]*)?(?:, rule \d+)?/g
  return [...commentsOf(text).matchAll(citation)].map(([cited]) => cited.trim()).filter(isBroken)
}

function isBroken(citation: string): boolean {
  const [path = "", heading, rule] = citation.split(", ")
  const document = documents.get(path)
  if (document === undefined) return true
  if (heading === undefined) return false
  const section = sectionOf(document, heading)
  const number = /^rule (\d+)$/.exec(rule ?? "")?.[1]
  return section === undefined || (number !== undefined && !new RegExp(`^${number}\\. `, "m").test(section))
}

/** The text below the heading that `words` begin with. */
function sectionOf(document: string, words: string): string | undefined {
  return document
    .split(/^#+ /m)
    .slice(1)
    .find((section) => {
      const heading = section.slice(0, section.indexOf("\n")).trim()
      return words === heading || words.startsWith(`${heading} `)
    })
}

/** Comments without their marks, each on one line. */
function commentsOf(text: string): string {
  const blocks = text.match(/\/\*[\s\S]*?\*\/|(?:(?:^|[ \t])\/\/[^\n]*\n?[ \t]*)+/gm) ?? []
  return blocks.map((block) => block.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ")).join("\n")
}

function isLink(from: string, target: string): boolean {
  const [file = "", anchor] = target.split("#")
  const path = file === "" ? from : posix.normalize(posix.join(posix.dirname(from), file))
  if (!existsSync(join(root, path))) return false
  if (anchor === undefined) return true
  const headings = documents.get(path)?.matchAll(/^#+ (.*)$/gm) ?? []
  return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor)
}

/** A heading's anchor, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
}

function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "")
}
