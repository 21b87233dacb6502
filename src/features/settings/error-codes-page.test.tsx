import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { catalogue } from "../../../contract/error-catalogue.ts"
import { openPage } from "../../../tests/support/open-page.tsx"

const entries = () => screen.getAllByRole("listitem").map((item) => item.textContent)

test("error codes page lists every error of both documents with code, cause and next step", async () => {
  await openPage("/settings/errors")
  await screen.findByRole("heading", { name: "Gift card API" })
  const shown = entries()
  for (const { status, code, title, happened, next } of catalogue) {
    const found = shown.find((text) =>
      [String(status), code ?? "no code", title, happened, next].every((part) => text.includes(part)),
    )
    expect(found, `${status} ${code}`).toBeDefined()
  }
})

test("filter narrows the list by code and is stored in the URL", async () => {
  const { router, user } = await openPage("/settings/errors")
  await user.type(await screen.findByRole("searchbox", { name: "Filter the error codes" }), "insufficient")
  expect(entries().filter((text) => text.includes("INSUFFICIENT_FUND"))).toHaveLength(1)
  expect(screen.queryByText("DUPLICATE_EXTERNAL_REF")).not.toBeInTheDocument()
  await waitFor(() => expect(router.state.location.search).toEqual({ find: "insufficient" }))
})

test("a link to a status opens filtered", async () => {
  await openPage("/settings/errors?find=402")
  expect(await screen.findByText("INSUFFICIENT_FUND")).toBeVisible()
  expect(screen.queryByText("unauthorized")).not.toBeInTheDocument()
})

test("an empty result says which fields were searched", async () => {
  await openPage("/settings/errors?find=banana")
  expect(await screen.findByText("No error codes match “banana”")).toBeVisible()
})

test("a next step with a page is a link", async () => {
  await openPage("/settings/errors?find=AMBIGUOUS")
  expect(await screen.findByRole("link", { name: "Look up a card" })).toHaveAttribute(
    "href",
    "/cards?open=look-up",
  )
})
