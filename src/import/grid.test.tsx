import { fireEvent, render, screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { memoryDrafts } from "../../tests/support/import/memory-drafts.ts"
import { inlineWorker } from "../../tests/support/import/inline-worker.ts"
import { TestImportPage } from "../../tests/support/import/import-page.tsx"

const table = [
  "member_id\tname\tpts\tcampaign",
  "mem_1\tAna\t750\tBonus",
  "mem_2\tBen\t1,000.5\tBonus",
  "mem_1\tAna\t750\tBonus",
  "mem_3\tCam\t900\t",
].join("\n")

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, and without one no row is in view.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

/** Opens the page and pastes rows anywhere on it. */
async function opened(text = table, drafts = memoryDrafts()) {
  vi.stubGlobal("Worker", inlineWorker(drafts))
  const user = userEvent.setup()
  const page = render(<TestImportPage />)
  await screen.findByText("Drop a CSV or Excel file, or paste rows from a spreadsheet")
  fireEvent.paste(document.body, { clipboardData: { files: [], getData: () => text } })
  await screen.findByRole("grid", { name: "Rows to award" })
  await screen.findByText("mem_2")
  return { user, page }
}

const sent = () => screen.getByRole("status", { name: "What is sent" })
const cell = (row: number, column: number) => {
  const found = document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  if (found === null) throw new Error(`No cell ${row}:${column}.`)
  return found
}

describe("cells", () => {
  test("show their problems as text, and the tabs count them", async () => {
    await opened()
    expect(cell(1, 2)).toHaveTextContent("1,000.5Not a whole number")
    expect(cell(1, 2)).toHaveAttribute("aria-invalid", "true")
    expect(cell(2, 0)).toHaveTextContent("Same as row 2")
    expect(cell(3, 3)).toHaveTextContent("A reason is required")
    const tabs = screen.getAllByRole("radio").map((tab) => tab.nextElementSibling?.textContent)
    expect(tabs).toEqual(["All 4", "Problems 2", "To check 1", "Ready 1"])
    expect(sent()).toHaveTextContent("1 rows, 750 points")
  })

  test("show their problems below the row number on a phone, with the column's name", async () => {
    const { matchMedia } = globalThis
    vi.stubGlobal("matchMedia", (query: string) =>
      Object.assign(matchMedia(query), { matches: query === "(width < 640px)" }),
    )
    await opened()
    expect(screen.getByRole("rowheader", { name: /^3 ?Points: Not a whole number$/ })).toBeVisible()
    expect(screen.getByRole("rowheader", { name: /^4.*Same as row 2$/ })).toBeVisible()
    expect(cell(1, 2)).toHaveTextContent(/^1,000\.5$/)
    expect(cell(1, 2)).toHaveAttribute("aria-invalid", "true")
  })

  test("are replaced by a second pasted table after a question", async () => {
    const { user } = await opened()
    const paste = (text: string) =>
      fireEvent.paste(document.body, { clipboardData: { files: [], getData: () => text } })
    paste("a single cell")
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
    paste("Member\tPoints\tReason\nmem_9\t40\tOther")
    const question = within(
      await screen.findByRole("dialog", { name: "Replace the rows with the pasted ones" }),
    )
    expect(sent()).toHaveTextContent("1 rows, 750 points")
    await user.click(question.getByRole("button", { name: "Replace the rows" }))
    await waitFor(() => expect(sent()).toHaveTextContent("1 rows, 40 points"))
    expect(cell(0, 0)).toHaveTextContent("mem_9")
  })

  test("can be edited by keyboard", async () => {
    const { user } = await opened()
    await user.click(cell(0, 0))
    await user.keyboard("{F8}")
    await waitFor(() => expect(cell(1, 2)).toHaveFocus())
    await user.keyboard("{Enter}")
    const field = screen.getByRole("textbox", { name: "Points, row 3" })
    expect(field).toHaveValue("1,000.5")
    await user.keyboard("1,000{Enter}")
    expect(cell(2, 2)).toHaveFocus()
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 1750 points"))
    expect(cell(1, 2)).toHaveTextContent(/^1,000$/)
  })

  test("with a problem are found by F8 from anywhere, but not below a dialog", async () => {
    const { user } = await opened()
    screen.getByRole("button", { name: "Add a row" }).focus()
    await user.keyboard("{F8}")
    await waitFor(() => expect(cell(1, 2)).toHaveFocus())
    await user.keyboard("5{F8}")
    await waitFor(() => expect(cell(2, 0)).toHaveFocus())
    expect(cell(1, 2)).toHaveTextContent(/^5$/)
    const dialog = document.createElement("dialog")
    dialog.setAttribute("open", "")
    document.body.append(dialog)
    expect(fireEvent.keyDown(document.body, { key: "F8" })).toBe(true)
    dialog.remove()
    expect(fireEvent.keyDown(document.body, { key: "F8" })).toBe(false)
  })

  test("are overwritten by typing, left by Tab, restored by Escape", async () => {
    const { user } = await opened()
    await user.click(cell(3, 2))
    await user.keyboard("8{Tab}")
    expect(cell(3, 3)).toHaveFocus()
    await user.keyboard("Why")
    expect(screen.getByRole("textbox", { name: "Reason, row 5" })).toHaveValue("Why")
    await user.keyboard("{Escape}")
    expect(cell(3, 3)).toHaveFocus()
    expect(cell(3, 3)).toHaveTextContent("A reason is required")
    await user.keyboard("{F2}Thanks{Enter}")
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 758 points"))
    await user.keyboard("{Control>}z{/Control}")
    await waitFor(() => expect(sent()).toHaveTextContent("1 rows, 750 points"))
  })

  test("keep the typed text when another one is clicked", async () => {
    const { user } = await opened()
    await user.click(cell(1, 2))
    await user.keyboard("5")
    await user.click(cell(0, 0))
    expect(screen.queryByRole("textbox", { name: /row/ })).not.toBeInTheDocument()
    await waitFor(() => expect(cell(1, 2)).toHaveTextContent(/^5$/))
    expect(cell(0, 0)).toHaveTextContent(/^mem_1$/)
  })

  test("are reached by arrow keys, and Tab leaves the grid at the end of a row", async () => {
    const { user } = await opened()
    await user.click(cell(0, 0))
    await user.keyboard("{ArrowDown}{ArrowRight}{End}")
    expect(cell(1, 3)).toHaveFocus()
    await user.keyboard("{Control>}{End}{/Control}")
    expect(cell(3, 3)).toHaveFocus()
    await user.tab()
    expect(screen.getByRole("button", { name: "Delete row 5" })).toHaveFocus()
  })

  test("accept a pasted range of a spreadsheet", async () => {
    const { user } = await opened()
    await user.click(cell(3, 2))
    fireEvent.paste(cell(3, 2), { clipboardData: { getData: () => "10\tOne\n20\tTwo" } })
    await waitFor(() => expect(screen.getByText("All").closest("label")).toHaveTextContent("5"))
    expect(await screen.findByText("Two")).toBeInTheDocument()
  })
})

describe("rows", () => {
  test("that need a confirmation are kept or left out", async () => {
    const { user } = await opened()
    await user.click(screen.getByRole("button", { name: "Keep row 4" }))
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 1500 points"))
    expect(cell(2, 0)).toHaveTextContent("Same as row 2, kept")
    await user.click(screen.getByRole("button", { name: "Leave row 4 out" }))
    await waitFor(() => expect(sent()).toHaveTextContent("1 rows, 750 points"))
  })

  test("with the same finding are decided together in its view", async () => {
    const { user } = await opened()
    await user.click(screen.getByText("To check"))
    await user.click(await screen.findByRole("button", { name: "Keep 1 duplicate" }))
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 1500 points"))
  })

  test("are deleted, and restored by undo", async () => {
    const { user } = await opened()
    await user.click(cell(1, 0))
    await user.click(screen.getByRole("button", { name: "Delete row 3" }))
    await waitFor(() => expect(screen.queryByText("mem_2")).not.toBeInTheDocument())
    await user.click(screen.getByRole("button", { name: "Undo" }))
    expect(await screen.findByText("mem_2")).toBeInTheDocument()
  })

  test("are only rendered in view, out of thousands", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `mem_${at}\tN\t5\tBonus`).join("\n")
    await opened(`member_id\tname\tpts\tcampaign\n${many}`)
    expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "3001")
    expect(screen.getAllByRole("row").length).toBeLessThan(80)
  })
})

describe("columns", () => {
  test("are mapped to another field in their header", async () => {
    const { user } = await opened()
    await user.selectOptions(screen.getByRole("combobox", { name: "Column name holds" }), "Reason")
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 1650 points"))
    expect(screen.getByRole("combobox", { name: "Column campaign holds" })).toHaveValue("")
  })

  test("that are missing are requested, and one value can apply to all rows", async () => {
    const { user } = await opened("member_id\tpts\nmem_2\t750")
    expect(screen.getByText("Which column is the reason?")).toBeInTheDocument()
    await user.type(screen.getByRole("textbox", { name: "Reason for all rows" }), "Q3{Enter}")
    await waitFor(() => expect(sent()).toHaveTextContent("1 rows, 750 points"))
    expect(screen.queryByText("Which column is the reason?")).not.toBeInTheDocument()
  })
})

describe("files", () => {
  test("that cannot be read are refused with a reason and the next step", async () => {
    const user = userEvent.setup()
    vi.stubGlobal("Worker", inlineWorker(memoryDrafts()))
    render(<TestImportPage />)
    await user.upload(await screen.findByLabelText("Choose a file"), new File(["a,b\n"], "names.csv"))
    const note = await screen.findByRole("alert")
    expect(note).toHaveTextContent("no rows")
    expect(within(note).getByRole("button", { name: "Close" })).toBeInTheDocument()
  })

  test("have a template with the columns of their recipe", async () => {
    const user = userEvent.setup()
    vi.stubGlobal("Worker", inlineWorker(memoryDrafts()))
    const saved = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:template")
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue()
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue()
    render(<TestImportPage />)
    await user.click(await screen.findByRole("button", { name: "CSV template" }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    const [blob] = saved.mock.calls[0] ?? []
    expect(blob instanceof Blob && (await blob.text()).trim()).toBe(
      "Member id,E-mail,Points,Reason,Reference",
    )
  })

  test("can be dropped anywhere; replacing edited rows needs a confirmation", async () => {
    const { user } = await opened()
    const file = new File(["member_id,points,reason\nmem_9,5,New"], "new.csv", { type: "text/csv" })
    const dropped = { dataTransfer: { types: ["Files"], files: [file] } }
    await user.click(screen.getByRole("button", { name: "Keep row 4" }))
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows"))
    fireEvent.drop(document.body, dropped)
    await user.click(await screen.findByRole("button", { name: "Replace the rows" }))
    expect(await screen.findByText("mem_9")).toBeInTheDocument()
    expect(screen.getByText("1 row, comma, UTF-8")).toBeInTheDocument()
  })
})

describe("a draft", () => {
  test("is restored after leaving the page, and can be discarded", async () => {
    const drafts = memoryDrafts()
    const { user, page } = await opened(table, drafts)
    await user.click(cell(1, 2))
    await user.keyboard("5{Enter}")
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 755 points"))
    page.unmount()
    render(<TestImportPage />)
    expect(await screen.findByText(/^Draft from \d\d:\d\d restored$/)).toBeInTheDocument()
    await waitFor(() => expect(sent()).toHaveTextContent("2 rows, 755 points"))
    await user.click(screen.getByRole("button", { name: "Discard draft" }))
    expect(
      await screen.findByText("Drop a CSV or Excel file, or paste rows from a spreadsheet"),
    ).toBeInTheDocument()
  })

  test("of another user is never shown", async () => {
    const drafts = memoryDrafts()
    const { page } = await opened(table, drafts)
    page.unmount()
    render(<TestImportPage userId="usr_2" />)
    expect(
      await screen.findByText("Drop a CSV or Excel file, or paste rows from a spreadsheet"),
    ).toBeInTheDocument()
  })
})
