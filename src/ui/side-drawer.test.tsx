import { MantineProvider } from "@mantine/core"
import { render, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import { SideDrawer } from "./side-drawer.tsx"

it("Ctrl Enter in a text area of a drawer does what its button says", async () => {
  const submitted = vi.fn<() => void>()
  render(
    <MantineProvider env="test">
      <SideDrawer
        title="Note"
        onClose={() => {}}
        onSubmit={(event) => {
          event.preventDefault()
          submitted()
        }}
        foot={<button type="submit">Save</button>}
      >
        <textarea aria-label="Text" />
      </SideDrawer>
    </MantineProvider>,
  )
  await userEvent.type(screen.getByLabelText("Text"), "Typed{Control>}{Enter}{/Control}")
  expect(submitted).toHaveBeenCalledTimes(1)
  expect(screen.getByRole("dialog", { name: "Note" })).toBeVisible()
})
