import { expect, test } from "vitest"
import * as z from "zod/mini"
import { createStored } from "./browser-storage.ts"

const shape = z.object({ paper: z.enum(["a4", "letter"]) })
const open = () => createStored<z.output<typeof shape>>("laurel-paper", shape, { paper: "a4" })

test("a stored choice is read by the next visit", () => {
  open().setState({ paper: "letter" })
  expect(open().getState()).toEqual({ paper: "letter" })
})

test.each(["letter", '"letter"', '{"paper":"letter"}', '{"state":{"paper":"a3"}}', "null"])(
  "a stored %s, as of an earlier version or invalid, is ignored",
  (text) => {
    localStorage.setItem("laurel-paper", text)
    expect(open().getState()).toEqual({ paper: "a4" })
  },
)
