import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { addRowsBody, createJobBody, type Job } from "../../../contract/job.ts"
import { limitsOf } from "../../../tests/support/test-app.tsx"
import { madeJob, openIssue } from "../../../tests/support/giftcards/open-issue.tsx"

const head = "email,first name,last name,amount,card,ref"

/** Rows of a file as a spreadsheet writes them. */
function csv(lines: readonly string[]): File {
  return new File([[head, ...lines].join("\n")], "winners.csv", { type: "text/csv" })
}

const plain = (count: number) =>
  Array.from({ length: count }, (_, at) => `p${at}@site.test,Person,No${at},$50.00,,`)

const refused = {
  card_id: "card_tradevisa",
  denomination: 100,
  code: "DENOMINATION_NOT_PRODUCED",
  message: "The image for 100 was not produced.",
  at: "2026-11-20T00:00:00Z",
}

const draft: Job = { ...madeJob({}).job, state: "draft", total: 0 }

async function openFile(file: File, opening: Parameters<typeof openIssue>[1] = {}) {
  const handed: unknown[] = []
  let job = draft
  const opened = await openIssue("/cards/issue-file", {
    ...opening,
    rateLimit: 60,
    handlers: {
      "POST /api/jobs": () => Response.json({ success: true, data: job }, { status: 201 }),
      "POST /api/jobs/J-1/rows": ({ body }) => {
        handed.push(...addRowsBody.parse(body).rows)
        const excluded = job.counts.excluded + (addRowsBody.parse(body).excluded?.length ?? 0)
        job = { ...job, total: handed.length, counts: { ...job.counts, excluded } }
        return job
      },
      "POST /api/jobs/J-1/start": () => (job = { ...job, state: "running" }),
      "GET /api/jobs/J-1": () => job,
      "GET /api/jobs/J-1/rows": () =>
        Response.json({ success: true, data: [], meta: { page: 1, per_page: 25, total: 0 } }),
      ...opening.handlers,
    },
  })
  await screen.findByRole("button", { name: "Choose a file" })
  await waitFor(() => expect(opened.queryClient.isFetching()).toBe(0))
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  if (input === null) throw new Error("There is no field for a file.")
  await opened.user.upload(input, file)
  const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
  return { ...opened, panel, handed }
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

/** A window with visible rows: jsdom has no layout. */
function withLayout(): void {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
}

describe("issuing from a file", () => {
  afterEach(() => vi.restoreAllMocks())

  it("shows totals and cost, submits the rows, and opens the job", async () => {
    const { panel, user, handed, router } = await openFile(csv(plain(200)), { left: 2_000_000 })
    expect(await panel.findByText("$10,550.00")).toBeVisible()
    expect(panel.getByText("$500.00")).toBeVisible()
    expect(panel.getByText("$20,000.00 left")).toBeVisible()
    expect(panel.getByText(/About 4 min/)).toBeVisible()
    expect(panel.getByText("Trade Visa", { selector: "dd" })).toBeVisible()
    await user.click(await enabled(panel, "Issue 200 cards, $10,000.00"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(handed).toHaveLength(200)
    expect(handed[3]).toEqual({
      member: { email: "p3@site.test", firstname: "Person", lastname: "No3" },
      denomination: 50,
    })
  })

  it("excludes rows whose reference is used in the file or in Laurel, with a link", async () => {
    const lookups: unknown[] = []
    const by = { card_id: "gc_old", registered: true, job: { id: "J-7", row: 3 } }
    const lines = [
      "a@site.test,Ana,One,50,,Q3-1",
      "b@site.test,Ben,Two,50,,Q3-2",
      "c@site.test,Cleo,Three,50,,Q3-2",
      "d@site.test,Dan,Four,50,,",
    ]
    const { panel, user, handed } = await openFile(csv(lines), {
      handlers: {
        "POST /api/cards/check-references": ({ body }) => {
          lookups.push(body)
          return [
            { state: "taken", by },
            { state: "free", by: null },
          ]
        },
      },
    })
    expect(await panel.findByText("1 reference is already used")).toBeVisible()
    expect(panel.getByRole("link", { name: "Open card gc_old" })).toHaveAttribute("href", "/cards/gc_old")
    await user.click(await enabled(panel, "Issue 2 cards, $100.00"))
    await waitFor(() => expect(handed).toHaveLength(2))
    expect(handed).toMatchObject([{ externalRef: "Q3-2" }, { member: { firstname: "Dan" } }])
    // Each reference is looked up once.
    expect(lookups).toEqual([
      {
        references: [
          { template: "card_tradevisa", reference: "Q3-1" },
          { template: "card_tradevisa", reference: "Q3-2" },
        ],
      },
    ])
  })

  it("names the job as typed", async () => {
    const created: unknown[] = []
    const { panel, user, handed } = await openFile(csv(plain(2)), {
      left: 2_000_000,
      handlers: {
        "POST /api/jobs": ({ body }) => {
          created.push(createJobBody.parse(body).options?.title)
          return Response.json({ success: true, data: draft }, { status: 201 })
        },
      },
    })
    await user.type(panel.getByLabelText("Job name (optional)"), " Q3 thank-you ")
    await user.click(await enabled(panel, "Issue 2 cards, $100.00"))
    await waitFor(() => expect(handed).toHaveLength(2))
    expect(created).toEqual(["Q3 thank-you"])
  })

  it("refuses a total above the limit before sending", async () => {
    const { panel, handed } = await openFile(csv(plain(3)), {
      handlers: { "GET /api/limits": () => limitsOf({ card_job_cents: 149_99 }) },
    })
    expect(
      await panel.findByText(/^That comes to AUD 150; the limit is AUD 149\.99 a job\..*Nothing was sent/),
    ).toBeVisible()
    expect(panel.getByRole("button", { name: "Issue 3 cards, $150.00" })).toBeDisabled()
    expect(handed).toEqual([])
  })

  it("shows after which row the configured fund runs out", async () => {
    const { panel } = await openFile(csv(plain(10)), { left: 5275 * 3 })
    // Row 1 of the file is the header: the third card is row 4.
    expect(await panel.findByText("The fund runs out after row 4")).toBeVisible()
    expect(panel.getByText(/It is \$369\.25 short/)).toBeVisible()
  })

  it("counts only configured costs: without a fee, the face value is a minimum", async () => {
    const { panel } = await openFile(csv(plain(2)), { fee: 0 })
    const value = async (name: string) => (await panel.findByText(name)).nextElementSibling
    expect(await value("Drawn from the fund (forecast, live cards)")).toHaveTextContent("At least $100.00")
    expect(await value("Fees, as entered")).toHaveTextContent("None set")
    expect(panel.queryByText("GST on fees")).toBeNull()
  })

  it("asks about amounts that were refused before, and sends the confirmed ones", async () => {
    withLayout()
    const lines = [...plain(2), "q@site.test,Quin,Ode,100,,"]
    const { panel, user, handed, router } = await openFile(csv(lines), { pairs: [refused] })
    expect(await enabled(panel, "Issue 2 cards, $100.00")).toBeVisible()
    const text = "$100 was refused for Trade Visa. Nearest: $50"
    expect(await screen.findByText(text)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Keep row 4" }))
    await user.click(await enabled(panel, "Issue 3 cards, $200.00"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(handed.map((row) => (row as { confirm_pair?: boolean }).confirm_pair)).toEqual([
      undefined,
      undefined,
      true,
    ])
  })

  it("resolves template names to ids, and offers fixes for an unknown template or amount", async () => {
    withLayout()
    const { panel, user, handed, router } = await openFile(
      csv([
        "a@site.test,Ana,Silva,50,trade visa,",
        "b@site.test,Bec,Hale,50,Buntings,",
        "c@site.test,Cy,Cole,75,Bunnings,",
        "d@site.test,Di,Dove,50,card_new,",
      ]),
    )
    expect(await enabled(panel, "Issue 1 card, $50.00")).toBeVisible()
    expect(screen.getByText('Template "Buntings" doesn’t exist. Did you mean "Bunnings"?')).toBeVisible()
    expect(screen.getByText("$75 isn’t available for Bunnings. Nearest: $50")).toBeVisible()
    expect(screen.getByText(/^Template "card_new" isn’t in the settings\. Valid names: /)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Use Bunnings in row 3" }))
    await user.click(await screen.findByRole("button", { name: "Use $50 in row 4" }))
    await user.click(await enabled(panel, "Issue 3 cards, $150.00"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(handed).toMatchObject([
      { denomination: 50, cardId: "card_tradevisa" },
      { denomination: 50, cardId: "card_bunnings" },
      { denomination: 50, cardId: "card_bunnings" },
    ])
  })

  it("uses the chosen card when no column has one", async () => {
    const file = new File(["email,first name,last name,amount\np@site.test,Pat,Lee,50"], "one.csv")
    const { panel, user, handed, router } = await openFile(file)
    await user.selectOptions(await panel.findByLabelText("Card"), "card_bunnings")
    await waitFor(() => expect(panel.getByText("Bunnings", { selector: "dd" })).toBeVisible())
    await user.click(await enabled(panel, "Issue 1 card, $50.00"))
    await waitFor(() => expect(router.state.location.pathname).toBe("/jobs/J-1"))
    expect(handed).toMatchObject([{ cardId: "card_bunnings" }])
  })

  it("leaves out invalid rows and likely mistakes", async () => {
    const { panel } = await openFile(
      csv([
        "a@site.test,Ana,Silva,50,,R-1",
        "a@site.test,Ana,Silva,50,,R-1",
        "b@site.test,Bec,Hale,75.5,,R-1",
        "nobody,Bec,Hale,50,,",
        "c@site.test,,Cole,50,,",
        "d@site.test,Dan,Dove,12.345,,",
        "e@site.test,Eve,Elm,-20,,",
      ]),
    )
    expect(await enabled(panel, "Issue 1 card, $50.00")).toBeVisible()
    expect(panel.getByText("6 with errors")).toBeVisible()
  })

  it("explains which role it needs", async () => {
    await openIssue("/cards/issue-file", { role: "viewer" })
    expect(await screen.findByText("Issuing gift cards requires the Manager role")).toBeVisible()
  })
})
