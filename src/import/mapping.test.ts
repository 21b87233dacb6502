import { expect, test } from "vitest"
import { guessColumns, matchColumns, loadMapping } from "./mapping.ts"
import { award } from "./recipes/points.ts"

test.each([
  [
    ["member_id", "name", "pts", "campaign"],
    ["member_id", null, "points", "reason"],
  ],
  [
    ["Member ID", "E-Mail", "Points to award", "Why"],
    ["member_id", "email", "points", "reason"],
  ],
  [
    ["Mitgliedsnummer", "Punkte", "Begründung"],
    ["member_id", "points", "reason"],
  ],
  [
    ["Puntos", "Correo", "Motivo"],
    ["points", "email", "reason"],
  ],
  [
    ["POINTS", "amount", "Points balance"],
    ["points", null, null],
  ],
  [
    ["amount", "points"],
    [null, "points"],
  ],
])("%j holds %j", (names, mapping) => {
  expect(matchColumns(names, award)).toEqual(mapping)
})

test("a saved mapping applies to the same columns in any order only", () => {
  const remembered = [{ names: ["Who", "How much", "Name"], fields: ["member_id", "points", null] }]
  expect(loadMapping(remembered, ["NAME", "how_much", "who"])).toEqual([null, "points", "member_id"])
  expect(loadMapping(remembered, ["who", "how much"])).toBeNull()
  expect(loadMapping(remembered, ["who", "who", "name"])).toBeNull()
})

test("columns without names are matched by content; ambiguous numbers count as numbers", () => {
  const rows = [
    ["mem_8Fq2Lx41", "1,000", "Spring campaign"],
    ["mem_IHwhDvlT", "2,500", "Thanks"],
  ]
  expect(guessColumns(rows, 3, award.fields, { style: "," })).toEqual(["member_id", "points", "reason"])
})
