import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { apis } from "../../contract/response.ts"
import {
  catalogue,
  explainCode,
  explainUpstream,
  ownerNames,
  ownerSentences,
} from "../../contract/error-catalogue.ts"
import { jobKindDescriptors, jobKinds } from "../../contract/job-kinds.ts"
import { pauseCodes } from "../../contract/job.ts"

/** Rows of a document's error table: the status and each code; null without a code. */
function documented(file: string): { status: number; code: string | null }[] {
  const text = readFileSync(new URL(`../../docs/api/${file}`, import.meta.url), "utf8")
  const section = text.slice(text.indexOf("\n## Errors"), text.indexOf("\n## Limits"))
  return section.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim())
    const status = Number(cells[1])
    if (!Number.isInteger(status) || status < 400) return []
    // A cell of codes starts with one; later ones are alternatives or part of an explanation.
    const cell = cells.slice(2).find((each) => each.startsWith("`") || each === "not specified") ?? ""
    const codes = [...(/^`([^`]+)`(?: or `([^`]+)`)?/.exec(cell) ?? [])].slice(1).filter(Boolean)
    return (codes.length === 0 ? [null] : codes).map((code) => ({ status, code }))
  })
}

const documents = { program: documented("program.md"), giftcard: documented("giftcard.md") }

describe.each(apis)("the catalogue and the document of the %s service", (api) => {
  const own = catalogue.filter((entry) => entry.api === api)

  it("reads the document's table", () => {
    expect(documents[api].length).toBe(api === "program" ? 6 : 14)
  })

  it("has every line of the table, under its status and code", () => {
    for (const line of documents[api]) {
      expect(own.filter(({ status, code }) => status === line.status && code === line.code)).toHaveLength(1)
    }
  })

  it("has only the retried statuses besides", () => {
    const further = own.filter(
      ({ status, code }) => !documents[api].some((line) => line.status === status && line.code === code),
    )
    expect(further.map(({ status, code }) => [status, code])).toEqual(
      api === "program"
        ? []
        : [
            [408, null],
            [429, null],
            [500, null],
          ],
    )
  })

  it("explains every error status without a code", () => {
    const statuses = Array.from({ length: 200 }, (_, at) => 400 + at)
    expect(statuses.filter((status) => explainUpstream(api, status, undefined) === undefined)).toEqual([])
  })

  it("names the owner of each error and gives the owner a next step", () => {
    for (const { whose, action } of own) {
      expect(ownerNames[whose]).not.toBe("")
      expect(ownerSentences[whose]).toMatch(/\.$/)
      expect(action).toBeDefined()
      expect(action === "wait").toBe(whose === "nobody")
    }
  })
})

describe("explanation of a row or a paused job", () => {
  it.each(catalogue.filter(({ code }) => code !== null))(
    "$code is explained for its service only",
    (entry) => {
      for (const kind of jobKinds) {
        const explanation = explainCode(kind, entry.code ?? "")
        expect(explanation).toBe(entry.api === jobKindDescriptors[kind].api ? entry : undefined)
      }
    },
  )

  it("a status without a code is explained by the status", () => {
    expect(explainCode("giftcard", "401")).toMatchObject({ status: 401, systemic: true })
    expect(explainCode("award", "403")).toMatchObject({ api: "program", status: 403 })
  })

  it("Laurel's own codes for a service refusal are explained by it; its other codes are not", () => {
    expect(explainCode("giftcard", pauseCodes.templateNotFound)).toMatchObject({
      status: 404,
      action: "open-templates",
    })
    expect(explainCode("giftcard", "earlier_card")).toMatchObject({ code: "DUPLICATE_EXTERNAL_REF" })
    expect(explainCode("award", "earlier_card")).toBeUndefined()
    expect(explainCode("giftcard", pauseCodes.person)).toBeUndefined()
  })
})
