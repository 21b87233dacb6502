import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { awardRow } from "../../../../contract/kinds/points.ts"
import { addRowsBody, repeatsBody } from "../../../../contract/job.ts"
import { limitsOf } from "../../../../tests/support/test-app.tsx"
import { textRow, workbookFile } from "../../../../tests/support/import/workbook-file.ts"
import { openPoints, refusal, type Answers } from "../../../../tests/support/points/open-points.tsx"

/** Rows of a file: `count` members with 750 points each. */
function csv(count: number, more = ""): File {
  const rows = Array.from({ length: count }, (_, at) => `mem_${at + 1},750,Q3 installer bonus`)
  return new File([["member_id,pts,campaign", ...rows].join("\n") + more], "q3.csv", { type: "text/csv" })
}

async function openFile(file: File, address = "/members/points-file?kind=award", answers: Answers = {}) {
  const opened = await openPoints(address, { answers, rateLimit: 60 })
  await screen.findByRole("button", { name: "Choose a file" })
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  if (input === null) throw new Error("There is no field for a file.")
  await opened.user.upload(input, file)
  const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
  return { ...opened, panel }
}

/** The button, once the rows were compared with earlier ones. */
async function enabled(
  panel: Awaited<ReturnType<typeof openFile>>["panel"],
  name: string,
): Promise<HTMLElement> {
  const button = await panel.findByRole("button", { name })
  await waitFor(() => expect(button).toBeEnabled())
  return button
}

describe("reading a file", () => {
  beforeEach(() => {
    // jsdom has no layout, so no row would be visible.
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
  })

  it("names a refused file next to the open one, until another is opened", async () => {
    const { user, panel } = await openFile(csv(2))
    const award = await enabled(panel, "Award 1,500 points to 2 members")
    const choose = async (file: File) => {
      const input = document.querySelector<HTMLInputElement>("input[type=file]")
      if (input !== null) await user.upload(input, file)
    }
    await choose(new File(["member_id,pts,campaign\n"], "empty.csv"))
    expect(await screen.findByText("empty.csv wasn’t opened")).toBeVisible()
    // The open rows are compared again; the message about the other file stays.
    await enabled(panel, "Award 1,500 points to 2 members")
    expect(award).not.toBeInTheDocument()
    expect(screen.getByText(/^It has column names but no rows\..* q3\.csv is still open\.$/)).toBeVisible()
    await choose(new File(["member_id,pts,campaign\nmem_9,70,Bonus"], "other.csv"))
    expect(await screen.findByRole("button", { name: "Award 70 points to 1 member" })).toBeVisible()
    expect(screen.queryByText("empty.csv wasn’t opened")).not.toBeInTheDocument()
  })

  it("compares ids and e-mails with the members in the local copy", async () => {
    const members = [
      { id: "mem_1", first_name: "Ana", last_name: "Silva", email: "ana@x.test" },
      { id: "mem_2", first_name: "Ada", last_name: "Moss", email: "ada@x.test" },
    ]
    const rows = "mem_1,ada@x.test,70,Bonus\nmem_2,ADA@x.test,50,Bonus"
    const file = new File([`id,email,pts,campaign\n${rows}`], "sorted.csv")
    const { panel } = await openFile(file, undefined, {
      "GET /api/members/recipients": () => Response.json({ success: true, data: { name: null, members } }),
    })
    expect(await panel.findByText("1 with an error")).toBeVisible()
    await enabled(panel, "Award 50 points to 1 member")
    expect(screen.getByText(/^The id is Ana Silva, the e-mail is ada@x\.test/)).toBeVisible()
  })

  it("counts people in the local copy, and asks about an e-mail that no member has", async () => {
    const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva", email: "ana@x.test" }
    const rows = "mem_1,70,Bonus\nANA@x.test,50,Bonus\ngone@x.test,20,Bonus"
    const { panel } = await openFile(new File([`member,pts,campaign\n${rows}`], "mixed.csv"), undefined, {
      "GET /api/members/recipients": () =>
        Response.json({ success: true, data: { name: null, members: [ana] } }),
    })
    await enabled(panel, "Award 120 points to 1 member")
    expect(screen.getByText("No member has this e-mail")).toBeVisible()
  })

  it("asks which sheet of a workbook to open, and offers its hidden rows", async () => {
    const row = (id: string) => textRow(id, "750", "Bonus")
    const names = textRow("member_id", "pts", "campaign")
    const june = names + row("mem_1") + row("mem_2").replace("<row>", '<row hidden="1">')
    const { user } = await openFile(csv(2))
    const input = document.querySelector<HTMLInputElement>("input[type=file]")
    const workbook = await workbookFile({ sheets: { May: names + row("mem_9"), June: june } }, "q3.xlsx")
    if (input !== null) await user.upload(input, workbook)
    expect(await screen.findByText("Which of 2 sheets do you want to import?")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "June" }))
    expect(await screen.findByRole("button", { name: "Award 750 points to 1 member" })).toBeVisible()
    expect(screen.getByText("1 hidden row is left out.")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Read too" }))
    expect(await screen.findByRole("button", { name: "Award 1,500 points to 2 members" })).toBeVisible()
    expect(screen.getByText("1 hidden row is read too.")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "2 rows, sheet June" }))
    expect(await screen.findByLabelText("Sheet")).toHaveValue("June")
    expect(screen.getByLabelText("Read 1 hidden row")).toBeChecked()
  })

  it("looks up a name in the id column once, and offers the member in its row", async () => {
    const bec = {
      id: "mem_bec",
      email: "bec@coastal.test",
      first_name: "Bec",
      last_name: "Hargreaves",
      status: "pending",
    }
    const meta = { page: 1, per_page: 8, total: 1 }
    const file = new File(
      ["member,pts,campaign\nBec Hargreaves,5,Bonus\nBec Hargreaves,6,Bonus"],
      "names.csv",
    )
    const { user, requests, panel } = await openFile(file, undefined, {
      "GET /api/members": () => Response.json({ success: true, data: [bec], meta }),
    })
    const [offer] = await screen.findAllByRole("button", {
      name: /^Use Bec Hargreaves: bec@coastal\.test in row 2/,
    })
    expect(requests.filter((line) => line.startsWith("GET /api/members?"))).toHaveLength(1)
    if (offer !== undefined) await user.click(offer)
    expect(await screen.findByText("This member is pending")).toBeVisible()
    expect(panel.queryByRole("button", { name: /^Award/, hidden: false })).not.toBeEnabled()
  })

  it("shows a guessed encoding with sample cells, and offers the other encodings", async () => {
    const bytes = new TextEncoder()
      .encode("member_id,pts,campaign\nmem_1,5,Jos*\n")
      .map((byte) => (byte === 42 ? 0x8e : byte))
    const { user } = await openFile(new File([bytes], "mac.csv"))
    expect(await screen.findByText("Encoding guessed: Windows-1252 (Western)")).toBeVisible()
    expect(screen.getByText(/Some cells read: JosŽ\./)).toBeVisible()
    const choice = screen.getByRole("combobox", { name: "How the file was saved" })
    await user.selectOptions(choice, within(choice).getByRole("option", { name: "Mac OS Roman: José" }))
    expect((await screen.findAllByText("José", { selector: "td *" }))[0]).toBeVisible()
    expect(screen.queryByText(/Encoding guessed/)).not.toBeInTheDocument()
  })

  it("uses the chosen one of two columns with the same name", async () => {
    const file = new File(["member_id,pts,pts,campaign\nmem_1,100,900,Bonus"], "twice.csv")
    const { user, panel } = await openFile(file)
    expect(await screen.findByText("2 columns are called “pts”. Which one has points?")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Column 3: 900" }))
    expect(await enabled(panel, "Award 900 points to 1 member")).toBeVisible()
  })

  it("counts removed invisible characters", async () => {
    await openFile(new File(["member_id,pts,campaign\n\u200Bmem_1,5,Bonus"], "hidden.csv"))
    const text = "Invisible characters were removed from 1 cell (Member id)."
    expect(await screen.findByText(text)).toBeVisible()
  })
})

describe("awarding from a file", () => {
  it("shows totals and the cost of both modes, submits the rows, and opens the job", async () => {
    const { panel, user, jobs, posted, router } = await openFile(csv(500))
    expect(await panel.findByText("375,000", { selector: "dd" })).toBeVisible()
    expect(await panel.findByText("Together, about 9 s.")).toBeVisible()
    await user.click(panel.getByRole("button", { name: "Change how to send" }))
    expect(panel.getByText("One at a time, about 10 min")).toBeVisible()
    await user.click(await enabled(panel, "Award 375,000 points to 500 members"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))

    const [draft] = posted("/api/jobs")
    expect(draft?.body).toMatchObject({
      kind: "award",
      rows: [],
      options: { draft: true, mode: "bulk", file: { name: "q3.csv" } },
    })
    expect(posted("/api/jobs/J-1/rows").map(({ body }) => body)).toEqual([
      expect.objectContaining({ first_row: 1 }),
    ])
    expect(posted("/api/jobs/J-1/start").map(({ body }) => body)).toEqual([{ total: 500, repeats: 0 }])
    expect(jobs.read("J-1").rows[499]?.input).toEqual({
      member_id: "mem_500",
      points: 750,
      reason: "Q3 installer bonus",
    })
  })

  it("resumes the upload after the connection was lost", async () => {
    let failures = 1
    const opened: Awaited<ReturnType<typeof openFile>> = await openFile(csv(2500), undefined, {
      "GET /api/limits": () => limitsOf({ points_job: 2_000_000 }),
      "POST /api/jobs/J-1/rows": ({ body }) => {
        const added = addRowsBody.parse(body)
        const job = opened.jobs.append("J-1", added)
        if (added.first_row !== 1001 || failures === 0) return job
        // The rows arrived; the response did not.
        failures -= 1
        throw new TypeError("Failed to fetch")
      },
    })
    const { panel, user, posted, jobs, router } = opened
    await user.click(await enabled(panel, "Award 1,875,000 points to 2,500 members"))
    expect(await panel.findByText(/Nothing was sent to the service/)).toBeVisible()
    await user.click(panel.getByRole("button", { name: "Try again" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(new Set(posted("/api/jobs").map(({ key }) => key)).size).toBe(1)
    expect(jobs.read("J-1").rows.map(({ input }) => input["member_id"])).toEqual(
      Array.from({ length: 2500 }, (_, at) => `mem_${at + 1}`),
    )
  })

  it("leaves out rows with problems, shows how many, and sends the rest", async () => {
    const { panel, user, jobs, router } = await openFile(csv(3, "\nmem_9,1000.5,Bonus\n,10,Bonus"))
    expect(await panel.findByText("2 with errors")).toBeVisible()
    expect(panel.getByText(/2 rows are left out/)).toBeVisible()
    await user.click(await enabled(panel, "Award 2,250 points to 3 members"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(jobs.read("J-1").rows.map(({ line, state, outcome }) => [line, state, outcome?.code])).toEqual([
      [2, "planned", undefined],
      [3, "planned", undefined],
      [4, "planned", undefined],
      [5, "excluded", "problem_in_file"],
      [6, "excluded", "problem_in_file"],
    ])
  })

  it("leaves out rows above the limit, and refuses a total above it before sending", async () => {
    let limits = limitsOf({ points_row: 750, points_job: 1600 })
    const { panel, user, posted, queryClient } = await openFile(csv(2, "\nmem_9,751,Bonus"), undefined, {
      "GET /api/limits": () => limits,
    })
    expect(await panel.findByText("1 with an error")).toBeVisible()
    await enabled(panel, "Award 1,500 points to 2 members")

    const button = panel.getByRole("button", { name: "Award 1,500 points to 2 members" })
    const reread = () => queryClient.invalidateQueries({ queryKey: ["settings"] })
    limits = limitsOf({ points_row: 750, points_job: 1499 })
    await reread()
    expect(
      await panel.findByText(
        "That comes to 1,500 points; the limit is 1,499 points a job. An administrator can change this limit under Settings, Program. Nothing was sent.",
      ),
    ).toBeVisible()
    expect(button).toBeDisabled()
    limits = limitsOf({ points_day: 2000 }, { points: 501 })
    await reread()
    // The row that was above the limit is allowed now, so there are three.
    expect(await panel.findByText(/^That comes to 2,251 points; 1,499 points are left of/)).toBeVisible()
    expect(posted("/api/jobs")).toEqual([])
    limits = limitsOf()
    await reread()
    await user.click(await enabled(panel, "Award 2,251 points to 3 members"))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(1))
  })

  it("includes finding members by e-mail in the estimated time", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `p${at}@coastal.test,10,Bonus`)
    const file = new File([["email,points,reason", ...rows].join("\n")], "people.csv", { type: "text/csv" })
    const { panel } = await openFile(file)
    expect(await panel.findByText("Together, about 39 s.")).toBeVisible()
  })

  it("sends metadata columns in single requests, with the reason", async () => {
    const file = new File(["member_id,points,reason,metadata.region\nmem_1,10,Bonus,QLD"], "a.csv")
    const { panel, user, posted, router } = await openFile(file)
    expect(await panel.findByText(/Keeps references, custom fields/)).toBeVisible()
    await user.click(await enabled(panel, "Award 10 points to 1 member"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    const said = JSON.stringify([posted("/api/jobs"), posted("/api/jobs/J-1/rows")])
    expect(said).toContain('"mode":"single"')
    expect(said).toContain('"metadata":{"region":"QLD"}')
  })

  it("shows what members will read, with a batch code only where nothing else identifies the award", async () => {
    const { panel, user } = await openFile(csv(2))
    expect(await panel.findByText(/Members will see/)).toHaveTextContent(
      /^Members will see, for example: Q3 installer bonus · batch \+ a 5-character code/,
    )
    await user.click(panel.getByRole("button", { name: "Change how to send" }))
    await user.click(panel.getByRole("radio", { name: /One at a time/ }))
    await waitFor(() =>
      expect(panel.getByText(/Members will see/)).toHaveTextContent(
        /^Members will see, for example: Q3 installer bonus$/,
      ),
    )
  })

  it("sends a single row alone, without a batch code", async () => {
    const { panel, user, posted, router } = await openFile(csv(1))
    expect(await panel.findByText(/Members will see/)).toHaveTextContent(/bonus$/)
    await user.click(await enabled(panel, "Award 750 points to 1 member"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(posted("/api/jobs")[0]?.body).toMatchObject({ options: { mode: "single" } })
  })

  it("excludes rows that were sent before, and includes them only by a choice that shows their number", async () => {
    const earlier = new Set(["mem_1", "mem_3"])
    const { panel, user, jobs, posted, router } = await openFile(csv(4), undefined, {
      "POST /api/jobs/repeats": ({ body }) =>
        repeatsBody.parse(body).rows.flatMap((row, at) => {
          const { member_id: id = "" } = awardRow.parse(row)
          return earlier.has(id)
            ? [{ at, key: id, count: 1, job: "J-7", row: at + 2, state: "confirmed" }]
            : []
        }),
    })
    expect(await panel.findByText("2 rows were sent before")).toBeVisible()
    expect(panel.getByRole("link", { name: "J-7" })).toHaveAttribute("href", "/jobs/J-7")
    expect(await enabled(panel, "Award 1,500 points to 2 members")).toBeVisible()
    await user.click(panel.getByRole("button", { name: "Include 2 repeated rows" }))
    expect(await panel.findByText("2 repeated rows will be sent again")).toBeVisible()
    await user.click(panel.getByRole("button", { name: "Leave out 2 repeated rows" }))
    await user.click(await enabled(panel, "Award 1,500 points to 2 members"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(posted("/api/jobs/J-1/start").map(({ body }) => body)).toEqual([{ total: 2, repeats: 0 }])
    expect(jobs.read("J-1").rows.map(({ line, state, outcome }) => [line, state, outcome?.message])).toEqual([
      [2, "excluded", "Already awarded (J-7)"],
      [3, "planned", undefined],
      [4, "excluded", "Already awarded (J-7)"],
      [5, "planned", undefined],
    ])
  })

  it("compares again when the server finds a different number of repeated rows", async () => {
    let comparisons = 0
    const { panel, user, posted } = await openFile(csv(2), undefined, {
      "POST /api/jobs/repeats": () => {
        comparisons += 1
        const found = { key: "mem_1", count: 1, job: "J-7", row: 2, state: "confirmed" }
        return comparisons === 1 ? [] : [{ at: 0, ...found }]
      },
      "POST /api/jobs/J-1/start": () =>
        refusal(409, "conflict", "1 row repeats earlier ones, not 0. Nothing was started.", { repeats: 1 }),
    })
    await user.click(await enabled(panel, "Award 1,500 points to 2 members"))
    expect(await panel.findByText("1 row was sent before")).toBeVisible()
    expect(panel.getByRole("button", { name: "Award 750 points to 1 member" })).toBeVisible()
    expect(posted("/api/jobs/J-1/start")).toHaveLength(1)
  })

  it("shows the server's refusal and preserves the rows", async () => {
    const { panel, user } = await openFile(csv(2), undefined, {
      "POST /api/jobs": () => refusal(503, "store_unavailable", "No."),
    })
    await user.click(await enabled(panel, "Award 1,500 points to 2 members"))
    expect(await panel.findByText("Laurel’s database isn’t responding")).toBeVisible()
    expect(await enabled(panel, "Award 1,500 points to 2 members")).toBeVisible()
  })
})

it("deducts from a file, one request each", async () => {
  const { panel, user, posted, router } = await openFile(csv(2), "/members/points-file?kind=deduct")
  expect(await panel.findByText(/Each deduction is sent on its own/)).toBeVisible()
  expect(await panel.findByText(/Members will see/)).toHaveTextContent(/ · batch \+ a 5-character code/)
  await user.click(await enabled(panel, "Deduct 1,500 points from 2 members"))
  await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
  expect(posted("/api/jobs")[0]?.body).toMatchObject({ kind: "deduct" })
})

it.each(["viewer", "fulfilment"] as const)("explains to %s which role it needs", async (role) => {
  await openPoints("/members/points-file", { role })
  expect(await screen.findByText("Award from a file requires the Manager role")).toBeVisible()
  expect(screen.queryAllByText(/You can view points/)).toHaveLength(role === "viewer" ? 1 : 0)
})
