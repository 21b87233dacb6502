import { render, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import { Popover } from "./popover.tsx"

function show() {
  render(
    <>
      <Popover label="Columns" renderButton={(props) => <button {...props}>Open</button>}>
        {(close) => <button onClick={close}>Done</button>}
      </Popover>
      <button>After</button>
    </>,
  )
  return { button: screen.getByRole("button", { name: "Open" }), user: userEvent.setup() }
}

const panel = () => screen.queryByRole("dialog", { name: "Columns" })

describe("a panel under its button", () => {
  it("opens with the focus in it, and Escape gives the focus back", async () => {
    const { button, user } = show()
    await user.click(button)
    expect(panel()).toHaveFocus()
    await user.keyboard("{Escape}")
    expect(panel()).not.toBeInTheDocument()
    expect(button).toHaveFocus()
  })

  it("closes when its content requests it", async () => {
    const { button, user } = show()
    await user.click(button)
    await user.click(screen.getByRole("button", { name: "Done" }))
    expect(panel()).not.toBeInTheDocument()
    expect(button).toHaveAttribute("aria-expanded", "false")
  })

  it("closes when the keyboard leaves it, and when something else is pressed", async () => {
    const { button, user } = show()
    await user.click(button)
    await user.tab()
    await user.tab()
    expect(screen.getByRole("button", { name: "After" })).toHaveFocus()
    expect(panel()).not.toBeInTheDocument()
    await user.click(button)
    await user.click(document.body)
    expect(panel()).not.toBeInTheDocument()
  })
})
