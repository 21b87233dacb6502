import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { limitsOf } from "../../../tests/support/test-app.tsx"
import { card } from "../../../tests/support/giftcards/open-cards.tsx"
import { openIssue } from "../../../tests/support/giftcards/open-issue.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

/** The form, once it has replaced the placeholder shown while templates are read. */
const drawer = async () => {
  await screen.findByRole("combobox", { name: "Recipient’s e-mail" })
  return within(screen.getByRole("dialog", { name: "Issue a gift card" }))
}
const issued = { state: "confirmed", upstream_id: "gc_9" } as const

describe("issuing a card again", () => {
  it("makes a new one: recipient, template and amount are prefilled, with a note that it is no resend", async () => {
    const { user, sent } = await openIssue("/cards/issue?again=gc_1", {
      row: issued,
      cards: [card("gc_9")],
      handlers: {
        "GET /api/cards/gc_1": () =>
          card("gc_1", {
            amount_cents: 50_00,
            member: { id: null, email: "sione@rimfire.test", name: "Sione Latu", created: null },
          }),
      },
    })
    const form = await drawer()
    expect(form.getByText("This issues a new card, it isn’t a resend")).toBeVisible()
    expect(form.getByText(/Card gc_1 isn’t cancelled/)).toBeVisible()
    expect(form.getByText("a one-time link by e-mail")).toBeVisible()
    expect(form.getByText(/can’t see the e-mail or whether it arrived/)).toBeVisible()
    await fill(user, form.getByLabelText(/^First name/), "Sione")
    await fill(user, form.getByLabelText(/^Last name/), "Latu")
    await user.click(form.getByRole("button", { name: "Issue a $50.00 card to Sione Latu" }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(JSON.stringify(sent[0])).toContain('"email":"sione@rimfire.test"')
    expect(JSON.stringify(sent[0])).toContain('"cardId":"card_tradevisa"')
  })
})

describe("recipient", () => {
  it("with the same template and amount within a day shows a warning, and can get another card", async () => {
    const { user, sent, requests } = await openIssue("/cards/issue", {
      row: issued,
      cards: [card("gc_9", { amount_cents: 50_00, issued_at: new Date().toISOString() })],
    })
    const form = await drawer()
    await user.type(await form.findByRole("combobox", { name: "Recipient’s e-mail" }), "Ana@coastal.test")
    await form.findByText("Ana Silva has this e-mail and gets the card")
    await user.click(form.getByRole("button", { name: "$100" }))
    // As typed, or as the service writes it: the click ends the typing, which picks the member.
    await waitFor(() =>
      expect(requests.some((line) => /^GET \/api\/cards\?search=ana/i.test(line))).toBe(true),
    )
    expect(form.queryByText(/of this template today/)).not.toBeInTheDocument()
    await user.click(form.getByRole("button", { name: "$50" }))
    expect(await form.findByText("Ana Silva got a $50.00 card of this template today")).toBeVisible()
    expect(form.getByRole("link", { name: "gc_9" })).toHaveAttribute("href", "/cards/gc_9")
    const query = new URLSearchParams(
      requests.find((line) => line.startsWith("GET /api/cards?search"))?.split("?")[1],
    )
    expect(query.get("template")).toBe("card_tradevisa")
    expect(Date.now() - Date.parse(query.get("from") ?? "")).toBeLessThan(86_400_000 + 60_000)
    await user.click(form.getByRole("button", { name: /^Issue a \$50.00 card/ }))
    await waitFor(() => expect(sent).toHaveLength(1))
  })

  it("is the member with the typed e-mail: names are filled in, and the list stays closed", async () => {
    const { user } = await openIssue("/cards/issue")
    const form = await drawer()
    await user.type(await form.findByRole("combobox", { name: "Recipient’s e-mail" }), "Ana@coastal.test")
    expect(await form.findByText("Ana Silva has this e-mail and gets the card")).toBeVisible()
    expect(form.queryByRole("option", { name: /Ana/ })).not.toBeInTheDocument()
    await user.click(form.getByRole("button", { name: "$50" }))
    expect(form.getByLabelText(/^First name/)).toHaveValue("Ana")
    expect(form.getByLabelText(/^Last name/)).toHaveValue("Silva")
    expect(form.queryByText(/The name entered here/)).not.toBeInTheDocument()
    await user.clear(form.getByLabelText(/^First name/))
    await user.type(form.getByLabelText(/^First name/), "Sam")
    expect(form.getByText(/The name entered here is different: Sam Silva\./)).toBeVisible()
  })

  it("is found by name; cost and effects are shown before sending, and the outcome after", async () => {
    const { user, sent, router } = await openIssue("/cards/issue", {
      row: issued,
      cards: [card("gc_9", { message: "Gift card issued" })],
    })
    const form = await drawer()
    await user.type(await form.findByRole("combobox", { name: "Recipient’s e-mail" }), "ana")
    await user.click(await form.findByRole("option", { name: /Ana Silva/ }))
    expect(await form.findByText("Ana Silva has this e-mail and gets the card")).toBeVisible()
    await user.click(form.getByRole("button", { name: "$50" }))
    expect(await form.findByText("= $50.00 + $2.50 fee + $0.25 GST")).toBeVisible()
    expect(form.getByText("Drawn from the fund (forecast, live cards)")).toBeVisible()
    expect(form.getByText("$1,000.00 left, $947.25 after it")).toBeVisible()
    await user.click(form.getByRole("button", { name: "Issue a $50.00 card to Ana Silva" }))

    expect(await screen.findByText("A $50.00 card for Ana Silva")).toBeVisible()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.rows).toEqual([
      {
        member: { email: "ana@coastal.test", firstname: "Ana", lastname: "Silva" },
        denomination: 50,
        expiryDays: 90,
        cardId: "card_tradevisa",
        externalRef: expect.stringMatching(/^GC-[0-9A-F]{8}$/) as unknown,
      },
    ])
    expect(await screen.findByText("Gift card issued")).toBeVisible()
    expect(await screen.findByRole("link", { name: "gc_9" })).toHaveAttribute("href", "/cards/gc_9")
    expect(router.state.location.searchStr).toContain("issued=J-1")
  })

  it("that is new is announced before sending, and the created Pending member after", async () => {
    const { user } = await openIssue("/cards/issue", {
      row: issued,
      cards: [
        card("gc_9", {
          is_test: true,
          replayed: true,
          member: { id: "mem_new", email: "sione@rimfire.test", name: "Sione Latu", created: true },
        }),
      ],
    })
    const form = await drawer()
    await user.type(await form.findByRole("combobox", { name: "Recipient’s e-mail" }), "sione@rimfire.test")
    expect(await form.findByText("No member has this e-mail: a pending member will be created")).toBeVisible()
    await fill(user, form.getByLabelText("First name"), "Sione")
    await fill(user, form.getByLabelText("Last name"), "Latu")
    await fill(user, form.getByRole("textbox", { name: "Another amount" }), "75.50")
    expect(form.getByText(/Not one of the amounts set up/)).toBeVisible()
    await user.click(form.getByRole("button", { name: "Issue a $75.50 card to Sione Latu" }))
    expect(
      await screen.findByText("Sione Latu was not a member yet: a pending member was created"),
    ).toBeVisible()
    expect(screen.getByText("Test card: the fund wasn’t charged")).toBeVisible()
    expect(screen.getByText("The card was already issued")).toBeVisible()
    expect(document.body.textContent).not.toMatch(/redeem/i)
  })

  it("is decided by the account key first", async () => {
    const { user } = await openIssue("/cards/issue?for=mem_ana")
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "Add an account key" }))
    await user.type(form.getByLabelText(/^Account key/), "AC-")
    expect(
      await form.findByText("A member with the account key “AC-” gets the card, if there is one"),
    ).toBeVisible()
    expect(form.getByText(/If no member has it, Ana Silva gets it, by the e-mail/)).toBeVisible()
    await user.type(form.getByLabelText(/^Account key/), "1")
    expect(await form.findByText("Ana Silva has this account key and gets the card")).toBeVisible()
  })
})

describe("refused cards", () => {
  it("must be confirmed for an amount that was refused before, and the confirmation is sent", async () => {
    const { user, sent } = await openIssue("/cards/issue?for=mem_ana", {
      row: issued,
      cards: [card("gc_9")],
      pairs: [
        {
          card_id: "card_tradevisa",
          denomination: 100,
          code: "DENOMINATION_NOT_PRODUCED",
          message: "The image for 100 was not produced.",
          at: "2026-11-20T00:00:00Z",
        },
      ],
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$100" }))
    expect(form.getByText("The service refused $100.00 of Trade Visa before")).toBeVisible()
    const button = form.getByRole("button", { name: "Issue a $100.00 card to Ana Silva" })
    expect(button).toBeDisabled()
    await user.click(form.getByRole("checkbox", { name: "Try anyway" }))
    await user.click(button)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.rows).toMatchObject([{ denomination: 100, confirm_pair: true }])
  })

  it("show a used reference with its card before sending", async () => {
    const lookups: unknown[] = []
    const { user, sent } = await openIssue("/cards/issue?for=mem_ana", {
      row: issued,
      cards: [card("gc_9")],
      handlers: {
        "POST /api/cards/check-references": ({ body }) => {
          lookups.push(body)
          return JSON.stringify(body).includes("SPRINT-2")
            ? [{ state: "unknown", by: null }]
            : JSON.stringify(body).includes("SPRINT-1")
              ? [{ state: "taken", by: { card_id: "gc_old", registered: true, job: { id: "J-7", row: 3 } } }]
              : [{ state: "free", by: null }]
        },
      },
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$50" }))
    const reference = form.getByLabelText(/^Reference/)
    await user.clear(reference)
    await fill(user, reference, "SPRINT-1")
    const button = form.getByRole("button", { name: "Issue a $50.00 card to Ana Silva" })
    expect(await form.findByText(/This reference already has a card of this template/)).toBeVisible()
    expect(form.getByRole("link", { name: "Open card gc_old" })).toHaveAttribute("href", "/cards/gc_old")
    expect(button).toBeDisabled()
    await user.type(reference, "{Backspace}2")
    expect(await form.findByText(/couldn’t be asked about this reference/)).toBeVisible()
    await user.click(button)
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.rows).toMatchObject([{ externalRef: "SPRINT-2" }])
    expect(lookups).toContainEqual({
      references: [{ template: "card_tradevisa", reference: "SPRINT-1" }],
      ask_service: true,
    })
    // References generated by the form are not looked up.
    expect(lookups[0]).toEqual({
      references: [{ template: "card_tradevisa", reference: expect.stringMatching(/^GC-/) as unknown }],
    })
  })

  it("link to the row that claimed the reference meanwhile", async () => {
    const { user } = await openIssue("/cards/issue?for=mem_ana", {
      row: {
        state: "failed",
        outcome: { code: "reference_taken", message: "This reference is used. No card was issued." },
        taken_by: { card_id: null, registered: false, job: { id: "J-7", row: 3 } },
      },
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$50" }))
    await user.click(form.getByRole("button", { name: /^Issue a/ }))
    expect(await screen.findByText("This reference is already used")).toBeVisible()
    const link = screen.getByRole("link", { name: "Open job J-7, row 3" })
    expect(link).toHaveAttribute("href", "/jobs/J-7")
  })

  it("link to the card that already has the reference", async () => {
    const { user } = await openIssue("/cards/issue?for=mem_ana", {
      row: {
        state: "conflict",
        outcome: { code: "earlier_card", message: "gc_old: The template has a card with this reference." },
      },
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$50" }))
    await user.click(form.getByRole("button", { name: /^Issue a/ }))
    expect(await screen.findByText("This reference already has a card")).toBeVisible()
    const link = screen.getByRole("link", { name: "Open card gc_old" })
    expect(link).toHaveAttribute("href", "/cards/gc_old")
  })

  it("show an empty fund with who can top it up, and can be resumed afterwards", async () => {
    const { user, requests } = await openIssue("/cards/issue?for=mem_ana", {
      pause: { code: "INSUFFICIENT_FUND", message: "It does not cover face value and fees." },
      handlers: { "POST /api/jobs/J-1/resume": () => Response.json({ success: true }) },
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$50" }))
    await user.click(form.getByRole("button", { name: /^Issue a/ }))
    expect(await screen.findByText("The program’s fund is too low")).toBeVisible()
    expect(screen.getByText(/Top up the fund, then resume\. Nothing is issued twice/)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Resume" }))
    await waitFor(() => expect(requests).toContain("POST /api/jobs/J-1/resume"))
  })

  it("are not sent without an amount or with days out of range", async () => {
    const { user, sent } = await openIssue("/cards/issue?for=mem_ana")
    const form = await drawer()
    const days = await form.findByLabelText(/^Valid for days/)
    await user.clear(days)
    await user.type(days, "20")
    await user.click(form.getByRole("button", { name: "Issue a card to Ana Silva" }))
    expect(await form.findByText("Choose an amount, or type one such as 75.00.")).toBeVisible()
    expect(form.getByText("At least 30 days.")).toBeVisible()
    expect(sent).toEqual([])
  })

  it("are not sent above a limit, which is shown below the amount", async () => {
    const { user, sent } = await openIssue("/cards/issue?for=mem_ana", {
      handlers: { "GET /api/limits": () => limitsOf({ card_row_cents: 49_99 }, {}) },
    })
    const form = await drawer()
    await user.click(await form.findByRole("button", { name: "$50" }))
    await user.click(form.getByRole("button", { name: "Issue a $50.00 card to Ana Silva" }))
    const refusal =
      "At most AUD 49.99 for one gift card. An administrator can change this limit under Settings, Program."
    expect(await form.findByText(refusal)).toBeVisible()
    expect(sent).toEqual([])
  })

  it("explain which role can issue, and request nothing for other roles", async () => {
    const { requests } = await openIssue("/cards/issue", { role: "viewer" })
    expect(await screen.findByText("Issuing gift cards requires the Manager role")).toBeVisible()
    expect(requests.filter((line) => line.includes("cardPairs"))).toEqual([])
  })
})
