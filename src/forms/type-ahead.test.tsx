import { MantineProvider } from "@mantine/core"
import { createEvent, fireEvent, render, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { useState } from "react"
import { expect, it, vi } from "vitest"
import { SideDrawer } from "../ui/side-drawer.tsx"
import { TypeAhead } from "./type-ahead.tsx"

function Fields({ onPick }: { onPick: (fruit: string) => void }) {
  const [text, setText] = useState("")
  return (
    <>
      <TypeAhead
        label="Fruit"
        listLabel="Fruits"
        text={text}
        onText={setText}
        open
        options={["Apple", "Pear"].filter((name) => name.includes(text))}
        idOf={(name) => name}
        draw={(name) => name}
        onPick={onPick}
        message={text === "x" ? "No fruit matches." : ""}
      />
      <button type="button">Next</button>
    </>
  )
}

function open() {
  const onPick = vi.fn<(fruit: string) => void>()
  const onClose = vi.fn<() => void>()
  render(
    <MantineProvider env="test">
      <SideDrawer title="Basket" onClose={onClose}>
        <Fields onPick={onPick} />
      </SideDrawer>
    </MantineProvider>,
  )
  return { onPick, onClose, user: userEvent.setup(), field: screen.getByRole("combobox", { name: "Fruit" }) }
}

/** Shown in the popover, and announced outside it. */
const message = () => screen.getByText("No fruit matches.", { ignore: "output" })
const announced = () => screen.getByRole("status").textContent
const names = () => screen.queryAllByRole("option").map(({ textContent }) => textContent)

it("shows its list and message in a popover only while the field is focused", async () => {
  const { user, field } = open()
  expect(names()).toEqual([])
  await user.click(field)
  expect(names()).toEqual(["Apple", "Pear"])
  expect(screen.getByRole("listbox").closest("[popover]")).toBeVisible()
  await user.keyboard("x")
  expect(message()).toBeVisible()
  expect(announced()).toBe("No fruit matches.")
  await user.click(screen.getByRole("button", { name: "Next" }))
  expect(names()).toEqual([])
  expect(message()).not.toBeVisible()
  expect(announced()).toBe("")
})

it("selects by arrows and Enter, and by a click that leaves the focus in the field", async () => {
  const { user, field, onPick } = open()
  await user.click(field)
  await user.keyboard("{ArrowDown}{Enter}")
  expect(onPick).toHaveBeenLastCalledWith("Pear")
  await user.click(screen.getByRole("option", { name: "Apple" }))
  expect(onPick).toHaveBeenLastCalledWith("Apple")
  expect(field).toHaveFocus()
})

it("closes on the first Escape, leaving the drawer open, and reopens with an arrow key", async () => {
  const { user, field, onClose } = open()
  await user.click(field)
  await user.keyboard("{Escape}")
  expect(names()).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard("{ArrowDown}")
  expect(names()).toEqual(["Apple", "Pear"])
  await user.keyboard("{Escape}{Escape}")
  expect(onClose).toHaveBeenCalledOnce()
})

it("closes its message on the first Escape too; Escape in an empty field closes the drawer", async () => {
  const { user, field, onClose } = open()
  await user.click(field)
  await user.keyboard("x")
  expect(message()).toBeVisible()
  expect(announced()).toBe("No fruit matches.")
  await user.keyboard("{Escape}")
  expect(message()).not.toBeVisible()
  expect(announced()).toBe("")
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard("{Escape}")
  expect(onClose).toHaveBeenCalledOnce()
})

it("passes text on when IME composition ends, not per key", () => {
  const onText = vi.fn<(text: string) => void>()
  render(
    <MantineProvider env="test">
      <TypeAhead
        label="Fruit"
        listLabel="Fruits"
        text=""
        onText={onText}
        open
        options={[]}
        idOf={String}
        draw={String}
        onPick={() => {}}
      />
    </MantineProvider>,
  )
  const field = screen.getByRole("combobox", { name: "Fruit" })
  fireEvent.compositionStart(field)
  for (const value of ["り", "りんご"]) {
    fireEvent(field, inputEvent(field, value))
    expect(field).toHaveValue(value)
  }
  expect(onText).not.toHaveBeenCalled()
  fireEvent.compositionEnd(field)
  expect(onText.mock.calls).toEqual([["りんご"]])
})

function inputEvent(field: HTMLElement, value: string): Event {
  const event = createEvent.input(field, { target: { value } })
  Object.defineProperty(event, "isComposing", { value: true })
  return event
}

it("Enter during a search selects the result if it is the only one", async () => {
  const onPick = vi.fn<(fruit: string) => void>()
  const user = userEvent.setup()
  const shown = (text: string, options: string[], searching: boolean) => (
    <MantineProvider env="test">
      <TypeAhead
        label="Fruit"
        listLabel="Fruits"
        open
        idOf={String}
        draw={String}
        onText={() => {}}
        {...{ text, options, searching, onPick }}
      />
    </MantineProvider>
  )
  const { rerender } = render(shown("Pea", [], true))
  await user.click(screen.getByRole("combobox", { name: "Fruit" }))
  await user.keyboard("{Enter}{Enter}")
  expect(onPick).not.toHaveBeenCalled()
  rerender(shown("Pea", ["Pear", "Peach"], false))
  expect(onPick).not.toHaveBeenCalled()
  rerender(shown("Ap", [], true))
  await user.keyboard("{Enter}{Enter}")
  rerender(shown("Ap", ["Apple"], false))
  expect(onPick.mock.calls).toEqual([["Apple"]])
})
