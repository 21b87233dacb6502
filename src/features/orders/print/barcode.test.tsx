import { render, screen } from "@testing-library/react"
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeCode128 } from "../../../../tests/support/orders/decode-code128.ts"
import { Barcode } from "./barcode.tsx"

function readBack(text: string): string | undefined {
  const { container, unmount } = render(<Barcode text={text} />)
  const path = container.querySelector("path")?.getAttribute("d")
  unmount()
  return path ? decodeCode128(path) : undefined
}

test.each([["ord_20398"], ["ord_2039800001234567"], ["000123"], ["A-b/C.9 ~"], ["20398"]])(
  "a scanner reads %s back from its barcode",
  (id) => expect(readBack(id)).toBe(id),
)

test("whatever printable id is drawn is read back as it is", () => {
  const ids = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((at) => String.fromCharCode(at)) })
  fc.assert(
    fc.property(ids, (id) => {
      const read = readBack(id)
      expect(read).toBe(id === "" || id.length > 60 ? undefined : id)
    }),
    { numRuns: 60 },
  )
})

test.each([["日本"], ["ord_é"], [""], ["x".repeat(61)]])(
  "%s gets no barcode: no scanner would type it as it stands",
  (id) => expect(readBack(id)).toBeUndefined(),
)

test("it is read aloud, and has the white that scanners need on both sides", () => {
  render(<Barcode text="ord_1" />)
  const picture = screen.getByRole("img", { name: "Barcode of ord_1" })
  expect(picture.getAttribute("viewBox")).toMatch(/^-10 0 /)
})
