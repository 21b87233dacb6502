import { act, cleanup, render } from "@testing-library/react"
import { afterEach, beforeEach, expect, it } from "vitest"
import { guardAgainstForeignChanges } from "./foreign-changes.ts"

// oxlint-disable-next-line typescript/unbound-method -- put back as they were
const { insertBefore, removeChild } = Node.prototype

let container: HTMLElement

beforeEach(() => {
  container = document.body.appendChild(document.createElement("div"))
  guardAgainstForeignChanges(container)
})

afterEach(() => {
  cleanup()
  Object.assign(Node.prototype, { insertBefore, removeChild })
  container.remove()
})

const draw = (points: number | null, before = false) =>
  act(async () => {
    render(
      <p>
        {before && <b>Now: </b>}
        {points !== null && `${points} points`} <i>left</i>
      </p>,
      { container },
    )
  })

/** Replaces every text by `<font>` as a translator does. */
async function translate(how: "replace" | "insert and remove" | "wrap") {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  for (const text of texts) {
    const font = document.createElement("font")
    if (how === "wrap") {
      text.replaceWith(font)
      font.append(text)
      continue
    }
    font.textContent = text.data.toUpperCase()
    if (how === "replace") text.replaceWith(font)
    else {
      text.before(font)
      text.remove()
    }
  }
  // Mutation observers run after the current task.
  await act(async () => {})
}

it.each(["replace", "insert and remove", "wrap"] as const)(
  "a translated text shows its new value, moves and goes as React says: %s",
  async (how) => {
    await draw(100)
    await translate(how)
    await draw(150)
    expect(container.textContent).toContain("150 points")
    expect(container.textContent).not.toMatch(/100/)
    await translate(how)
    await draw(150, true)
    expect(container.textContent).toMatch(/^Now: 150 points/i)
    await translate(how)
    await draw(null, false)
    expect(container.textContent).toMatch(/^\s*left$/i)
  },
)
