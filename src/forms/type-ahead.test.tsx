import { MantineProvider } from "@mantine/core"
import { render, screen } from "@testing-library/react"
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

/** Seen in what floats, and heard beside it. */
const message = () => screen.getByText("No fruit matches.", { ignore: "output" })
const heard = () => screen.getByRole("status").textContent
const names = () => screen.queryAllByRole("option").map(({ textContent }) => textContent)

it("shows its list and message in what floats at the field, and only while the field has the focus", async () => {
  const { user, field } = open()
  expect(names()).toEqual([])
  await user.click(field)
  expect(names()).toEqual(["Apple", "Pear"])
  expect(screen.getByRole("listbox").closest("[popover]")).toBeVisible()
  await user.keyboard("x")
  expect(message()).toBeVisible()
  expect(heard()).toBe("No fruit matches.")
  await user.click(screen.getByRole("button", { name: "Next" }))
  expect(names()).toEqual([])
  expect(message()).not.toBeVisible()
  expect(heard()).toBe("")
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
  expect(heard()).toBe("No fruit matches.")
  await user.keyboard("{Escape}")
  expect(message()).not.toBeVisible()
  expect(heard()).toBe("")
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard("{Escape}")
  expect(onClose).toHaveBeenCalledOnce()
})
