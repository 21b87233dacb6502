import { createEvent, fireEvent } from "@testing-library/react"
import { expect, it, onTestFinished, vi } from "vitest"
import { listenToField } from "./scan.ts"

/** A field with a listener, and what was read in it. */
function fieldRead() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  onTestFinished(() => void vi.useRealTimers())
  const input = document.createElement("input")
  const read: string[] = []
  const stop = listenToField(input, () => ({
    meaning: { commands: "", alone: 0 },
    onRead: (one) => read.push("text" in one ? one.text : one.key),
    onEmptyEnter: () => undefined,
    onEscape: () => undefined,
    onByHand: () => undefined,
  }))
  onTestFinished(stop)
  return { input, read }
}

it("field listener preserves the separator that a scanner sends as Ctrl ] inside a label's barcode", () => {
  const { input, read } = fieldRead()
  vi.advanceTimersByTime(1000)
  const write = (text: string) => {
    const event = createEvent.input(input, { target: { value: input.value + text }, inputType: "insertText" })
    Object.defineProperty(event, "timeStamp", { value: performance.now() })
    fireEvent(input, event)
  }
  write("019931265099999891KXT012345801000930904")
  const separator = createEvent.keyDown(input, { key: "]", ctrlKey: true })
  Object.defineProperty(separator, "timeStamp", { value: performance.now() })
  fireEvent(input, separator)
  write("4204570")
  vi.advanceTimersByTime(3000)
  expect(read).toEqual(["019931265099999891KXT012345801000930904\u001d4204570"])
  expect(input.value).toBe("")
})

it("field listener waits longer for the rest of a scan while key events arrive late", () => {
  const { input, read } = fieldRead()
  /** Types what a scanner sent `late` ms ago. */
  const write = (text: string, late: number) => {
    const event = createEvent.input(input, { target: { value: input.value + text }, inputType: "insertText" })
    Object.defineProperty(event, "timeStamp", { value: performance.now() - late })
    fireEvent(input, event)
  }
  vi.advanceTimersByTime(1000)
  write("RB12345", 150)
  vi.advanceTimersByTime(400)
  write("6785AU", 546)
  vi.advanceTimersByTime(3000)
  expect(read).toEqual(["RB123456785AU"])
  write("RB987654321AU", 0)
  vi.advanceTimersByTime(210)
  expect(read).toHaveLength(2)
})
