import fc from "fast-check"
import { expect, test } from "vitest"
import { limits } from "../../../../contract/limits.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { testSheet } from "../../../../tests/support/import/open-sheet.ts"
import { toCsv } from "../../../lib/csv.ts"
import { memberCells, recordFields, metadataColumns } from "./export.tsx"

/** The members that an import reads from an exported file of `members`. */
async function readAgain(members: readonly Member[]) {
  const further = [...new Set(members.flatMap(metadataColumns))].toSorted()
  const text = toCsv({
    columns: [...recordFields, ...further],
    rows: members.map((member) => memberCells(member, further)),
  })
  const sheet = testSheet("member-create")
  await sheet.open({ kind: "file", file: new File(["\uFEFF", text], "Members.csv") })
  // Formula-like text needs a confirmation.
  await sheet.view((open) => open.decide("check", "keep"))
  return sheet.accepted()
}

const someone = (at: number, metadata: Member["metadata"]) => ({
  id: `mem_${at}`,
  email: `m${at}@site.test`,
  first_name: "Ana",
  last_name: "Silva",
  created_at: "2026-11-20T23:15:00Z",
  metadata,
})

/** Text that a cell of a file can hold: trimmed, and no control character but line ends. Some begin like formulas. */
const cellText = (maxLength: number) =>
  fc
    .tuple(
      fc.constantFrom("", "", "=", "+", "-", "@", "'", "'=", "\uFF1D", '"', ",", "a\n"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength }),
    )
    .map(([lead, text]) => `${lead}${text}`.trim().slice(0, maxLength).trim())
    .filter((text) => text !== "" && !/(?!\n)[\p{Cc}\uFFFD]/u.test(text) && text.isWellFormed())

test("exported metadata is imported unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(cellText(limits.metadata.key), cellText(200), { maxKeys: 6 }), {
        minLength: 1,
        maxLength: 5,
      }),
      async (all) => {
        const read = await readAgain(all.map((metadata, at) => someone(at, metadata)))
        expect(read.map(({ metadata }) => metadata ?? {})).toEqual(all)
        expect(read.map(({ email }) => email)).toEqual(all.map((_, at) => `m${at}@site.test`))
      },
    ),
  )
})

test("other types become text, and empty values are left out", async () => {
  const metadata = {
    size: 12,
    active: true,
    sites: ["QLD", "NSW"],
    owner: { name: "Ana" },
    none: null,
    blank: "",
  }
  const [read] = await readAgain([someone(1, metadata)])
  expect(read?.["metadata"]).toEqual({
    size: "12",
    active: "true",
    sites: '["QLD","NSW"]',
    owner: '{"name":"Ana"}',
  })
})
