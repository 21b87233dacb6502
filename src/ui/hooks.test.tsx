import { MantineProvider } from "@mantine/core"
import { render, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { useState } from "react"
import { expect, it, vi } from "vitest"
import { ConfirmDialog } from "./confirm-dialog.tsx"
import { SideDrawer } from "./side-drawer.tsx"

/** A page whose drawer has two steps, each in a separate drawer. */
function Page() {
  const [step, setStep] = useState<"closed" | "form" | "outcome">("closed")
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setStep("form")}>
        Edit
      </button>
      {step === "form" && (
        <SideDrawer title="Form" onClose={() => setStep("closed")}>
          <button type="button" onClick={() => setStep("outcome")}>
            Save
          </button>
        </SideDrawer>
      )}
      {step === "outcome" && (
        <SideDrawer key="outcome" title="Outcome" onClose={() => setStep("closed")}>
          Saved
        </SideDrawer>
      )}
    </MantineProvider>
  )
}

it("closing a drawer gives the focus back to what opened it", async () => {
  const user = userEvent.setup()
  render(<Page />)
  await user.click(screen.getByRole("button", { name: "Edit" }))
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.getByRole("button", { name: "Edit" })).toHaveFocus())
})

it("closing a dialog that replaced another one returns the focus to the opener", async () => {
  const user = userEvent.setup()
  render(<Page />)
  await user.click(screen.getByRole("button", { name: "Edit" }))
  await user.click(screen.getByRole("button", { name: "Save" }))
  const outcome = await screen.findByRole("dialog", { name: "Outcome" })
  await waitFor(() => expect(outcome).toContainElement(document.activeElement as HTMLElement))
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.getByRole("button", { name: "Edit" })).toHaveFocus())
})

it("closing one that its link opened gives the focus to the page's heading", async () => {
  const user = userEvent.setup()
  function Linked() {
    const [open, setOpen] = useState(true)
    return (
      <MantineProvider env="test">
        <main>
          <h1 tabIndex={-1}>Members</h1>
        </main>
        {open && (
          <SideDrawer title="Award points" onClose={() => setOpen(false)}>
            <button type="button">Award</button>
          </SideDrawer>
        )}
      </MantineProvider>
    )
  }
  render(<Linked />)
  await user.keyboard("{Escape}")
  await waitFor(() => expect(screen.getByRole("heading", { name: "Members" })).toHaveFocus())
})

it("Ctrl Enter presses the button of a dialog, from its other button and after the focus was lost", async () => {
  const user = userEvent.setup()
  const onConfirm = vi.fn<() => void>()
  render(
    <MantineProvider env="test">
      <ConfirmDialog title="Delete?" action="Delete" tone="danger" onConfirm={onConfirm} onClose={() => {}} />
    </MantineProvider>,
  )
  const cancel = screen.getByRole("button", { name: "Cancel" })
  await waitFor(() => expect(cancel).toHaveFocus())
  await user.keyboard("{Control>}{Enter}{/Control}")
  expect(onConfirm).toHaveBeenCalledTimes(1)
  cancel.blur()
  await user.keyboard("{Control>}{Enter}{/Control}")
  expect(onConfirm).toHaveBeenCalledTimes(2)
})

it("a dialog that becomes busy keeps the focus on its button", () => {
  const dialog = (busy: boolean) => (
    <MantineProvider env="test">
      <ConfirmDialog
        title="Delete?"
        action="Delete"
        tone="danger"
        busy={busy}
        onConfirm={() => {}}
        onClose={() => {}}
      />
    </MantineProvider>
  )
  const { rerender } = render(dialog(false))
  const cancel = screen.getByRole("button", { name: "Cancel" })
  cancel.focus()
  rerender(dialog(true))
  expect(cancel).toHaveFocus()
  expect(cancel).toBeEnabled()
})
