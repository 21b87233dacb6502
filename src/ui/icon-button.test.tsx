import { MantineProvider } from "@mantine/core"
import { render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import { theme } from "../theme.ts"
import { IconButton } from "./button.tsx"

function show(): HTMLElement {
  render(
    <MantineProvider theme={theme} env="test">
      <IconButton label="Refresh" icon="↻" />
    </MantineProvider>,
  )
  return screen.getByRole("button", { name: "Refresh" })
}

const disappears = () => waitFor(() => expect(screen.queryByRole("tooltip")).not.toBeInTheDocument())

describe("an icon button shows its label as a tooltip", () => {
  it("on keyboard focus, until Escape, and again with the next focus", async () => {
    const button = show()
    await userEvent.tab()
    expect(button).toHaveFocus()
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Refresh")
    await userEvent.keyboard("{Escape}")
    await disappears()
    await userEvent.tab()
    await userEvent.tab()
    expect(button).toHaveFocus()
    expect(await screen.findByRole("tooltip")).toBeInTheDocument()
  })

  it("while it is pointed at, each time", async () => {
    const button = show()
    for (const _ of ["first", "second"]) {
      await userEvent.hover(button)
      expect(await screen.findByRole("tooltip")).toHaveTextContent("Refresh")
      await userEvent.unhover(button)
      await disappears()
    }
  })
})
