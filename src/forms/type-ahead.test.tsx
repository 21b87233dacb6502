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

/** Seen in what floats, and announced beside it. */
const message = () => screen.getByText("No fruit matches.", { ignore: "output" })
const announced = () => screen.getByRole("status").textContent
const names = () => screen.queryAllByRole("option").map(({ textContent }) => textContent)

it("shows its list and message in what floats at the field, and only while the field has the focus", async () => {
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

it("is chosen from by arrows and Enter, and by a click that leaves the focus in the field", async () => {
  const { user, field, onPick } = open()
  await user.click(field)
  await user.keyboard("{ArrowDown}{Enter}")
  expect(onPick).toHaveBeenLastCalledWith("Pear")
  await user.click(screen.getByRole("option", { name: "Apple" }))
  expect(onPick).toHaveBeenLastCalledWith("Apple")
  expect(field).toHaveFocus()
})

it("is put away by the first Escape, which leaves the drawer open, and is back with an arrow", async () => {
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

it("has its message put away by the first Escape too, which is the drawer’s while nothing is typed", async () => {
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

it("passes text on once an IME has composed it, not key by key", () => {
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

it("Enter pressed during a search picks its only result when it comes, and none of several", async () => {
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
