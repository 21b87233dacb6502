import { MantineProvider } from "@mantine/core"
import { render, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import { Button } from "./button.tsx"

it("a button that loads takes no click, submits nothing, and keeps its name and the focus", async () => {
  const clicked = vi.fn<() => void>()
  const submitted = vi.fn<() => void>()
  const form = (loading: boolean) => (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submitted()
        }}
      >
        <Button type="submit" loading={loading} onClick={clicked}>
          Award
        </Button>
      </form>
    </MantineProvider>
  )
  const { rerender } = render(form(false))
  await userEvent.click(screen.getByRole("button", { name: "Award" }))
  expect([clicked.mock.calls.length, submitted.mock.calls.length]).toEqual([1, 1])
  rerender(form(true))
  const button = screen.getByRole("button", { name: "Award", busy: true })
  await userEvent.click(button)
  await userEvent.keyboard("{Enter}")
  expect([clicked.mock.calls.length, submitted.mock.calls.length]).toEqual([1, 1])
  expect(button).toHaveFocus()
  expect(button).toHaveAttribute("aria-disabled", "true")
})
