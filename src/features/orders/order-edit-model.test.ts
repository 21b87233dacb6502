import { expect, test } from "vitest"
import { isFormula, quotedText } from "../../../contract/typed-text.ts"
import { isFormula as isFormulaCell } from "../../import/read-cell.ts"
import { plainCell } from "../../import/read-file.ts"

test.each(["=A1", "@x", "+A1*2", "-SUM(A1)", "+61 7 1234", "-5", "33QK12345678", ""])(
  "%j is a formula in a form exactly if it is one in a file",
  (text) => expect(isFormula(text)).toBe(isFormulaCell(text)),
)

test.each(['="0034"', '="a""b"', '=" 1 "'])("%j is the same text in a form as in a file", (text) => {
  expect(quotedText(text)).toBe(plainCell(text))
})
