import { fireEvent, render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it } from "vitest"
import { Tooltip } from "./tooltip.tsx"

function show() {
  render(
    <Tooltip label="What it does">
      <button type="button">Do</button>
    </Tooltip>,
  )
  return screen.getByRole("button")
}

it("a tooltip describes its control on keyboard focus, and goes with Escape", async () => {
  const button = show()
  await userEvent.tab()
  const tip = await screen.findByRole("tooltip")
  expect(button).toHaveAccessibleDescription("What it does")
  expect(tip).toHaveTextContent("What it does")
  await userEvent.keyboard("{Escape}")
  await waitFor(() => expect(screen.queryByRole("tooltip")).not.toBeInTheDocument())
  expect(button).not.toHaveAccessibleDescription()
})

it("a tooltip shows on hover and can itself be pointed at", async () => {
  const button = show()
  await userEvent.hover(button)
  const tip = await screen.findByRole("tooltip")
  fireEvent.pointerLeave(button)
  fireEvent.pointerEnter(tip)
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(tip).toBeInTheDocument()
  fireEvent.pointerLeave(tip)
  await waitFor(() => expect(tip).not.toBeInTheDocument())
})
