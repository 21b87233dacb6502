import { MantineProvider } from "@mantine/core"
import { render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import { Popover } from "./popover.tsx"

function show() {
  render(
    <MantineProvider env="test">
      <Popover label="Columns" button={<button>Open</button>}>
        {(close) => <button onClick={close}>Done</button>}
      </Popover>
      <button>After</button>
    </MantineProvider>,
  )
  return { button: screen.getByRole("button", { name: "Open" }), user: userEvent.setup() }
}

const panel = () => screen.queryByRole("dialog", { name: "Columns" })

describe("a panel under its button", () => {
  it("opens with the focus in it, and Escape gives the focus back", async () => {
    const { button, user } = show()
    await user.click(button)
    await waitFor(() => expect(panel()).toContainElement(document.activeElement as HTMLElement))
    await user.keyboard("{Escape}")
    expect(panel()).not.toBeInTheDocument()
    await waitFor(() => expect(button).toHaveFocus())
  })

  it("closes when its content requests it", async () => {
    const { button, user } = show()
    await user.click(button)
    await user.click(screen.getByRole("button", { name: "Done" }))
    expect(panel()).not.toBeInTheDocument()
    expect(button).toHaveAttribute("aria-expanded", "false")
  })

  it("keeps the keyboard in it, and closes when something else is pressed", async () => {
    const { button, user } = show()
    await user.click(button)
    await waitFor(() => expect(screen.getByRole("button", { name: "Done" })).toHaveFocus())
    await user.tab()
    expect(screen.getByRole("button", { name: "Done" })).toHaveFocus()
    await user.click(document.body)
    expect(panel()).not.toBeInTheDocument()
  })
})
