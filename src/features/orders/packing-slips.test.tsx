import { render, screen } from "@testing-library/react"
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeCode128 } from "../../../tests/support/orders/decode-code128.ts"
import { Barcode } from "./packing-slips.tsx"

function readBack(text: string): string | undefined {
  const { container, unmount } = render(<Barcode text={text} />)
  const drawing = [...container.querySelectorAll("path")].map((path) => ({
    width: Number(path.getAttribute("stroke-width")),
    path: path.getAttribute("d") ?? "",
  }))
  unmount()
  return drawing.length === 0 ? undefined : decodeCode128(drawing)
}

test.each([["ord_20398"], ["ord_2039800001234567"], ["000123"], ["A-b/C.9 ~"], ["20398"]])(
  "barcode of %s reads back unchanged",
  (id) => expect(readBack(id)).toBe(id),
)

test("barcode of any printable id reads back unchanged", () => {
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
  "%s gets no barcode, since scanners cannot type it reliably",
  (id) => expect(readBack(id)).toBeUndefined(),
)

test("barcode has an accessible name and quiet zones on both sides", () => {
  render(<Barcode text="ord_1" />)
  const symbol = screen.getByRole("img", { name: "Barcode of ord_1" })
  const edges = [...symbol.querySelectorAll("path")].flatMap((path) =>
    [...(path.getAttribute("d") ?? "").matchAll(/M([\d.]+) /g)].flatMap(([, middle]) => {
      const half = Number(path.getAttribute("stroke-width")) / 2
      return [Number(middle) - half, Number(middle) + half]
    }),
  )
  const width = Number(symbol.getAttribute("viewBox")?.split(" ")[2])
  expect([Math.min(...edges), width - Math.max(...edges)]).toEqual([10, 10])
})
