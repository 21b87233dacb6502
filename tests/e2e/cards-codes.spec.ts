import { expect, type Page } from "@playwright/test"
import { type CatalogueEntry, giftcardErrors, templateNotFound } from "../../contract/error-catalogue.ts"
import { cardRow, startCards, type CardRow, type CardsApp } from "./cards-app.ts"
import { signIn, test } from "./app.ts"
import { reportMeasurement } from "./report-measurement.ts"

/** How the service is made to answer a code to an issue, and where Laurel then says what it means. */
interface Way {
  readonly before?: (cards: CardsApp) => Promise<unknown>
  readonly row?: Partial<CardRow>
  /** `pause`: the job's note; `row`: the row beside the table. */
  readonly at: "pause" | "row"
}

const issues: Readonly<Record<string, Way>> = {
  // Laurel always names a template, so only a service that overlooks it says this one.
  NO_CARD_SPECIFIED: {
    at: "pause",
    before: async ({ service, between }) => {
      between.meddle({ dropTemplate: true })
      await service.set({ defaultCard: null })
    },
  },
  INVALID_ARGUMENT: { at: "row", row: { denomination: 55 } },
  VALIDATION_ERROR: {
    at: "row",
    row: { denomination: 65 },
    before: ({ service }) => service.set({ giftcardInvalidCode: "VALIDATION_ERROR" }),
  },
  DENOMINATION_NOT_PRODUCED: { at: "row", row: { denomination: 1000 } },
  DUPLICATE_EXTERNAL_REF: {
    at: "row",
    row: { externalRef: "TAKEN-1" },
    before: ({ service }) => service.issueElsewhere({ externalRef: "TAKEN-1", cardId: "card_tradevisa" }),
  },
  IDEMPOTENCY_IN_PROGRESS: {
    at: "row",
    // The first call is cut off by Laurel after 12 s and still being carried out when it is repeated.
    before: ({ service }) => service.set({ giftcardProcessingMs: 25_000 }),
  },
  INSUFFICIENT_FUND: { at: "pause", before: ({ service }) => service.fund(0) },
  PERMISSION_DENIED: { at: "pause", before: ({ service }) => service.set({ giftcardScopes: ["read"] }) },
  SETUP_INCOMPLETE_CATALOGUE: { at: "pause", row: { cardId: "card_nocatalogue" } },
  SETUP_INCOMPLETE_DENOMINATIONS: { at: "pause", row: { cardId: "card_nopictures" } },
  SETUP_INCOMPLETE_CLIENT_NAME: { at: "pause", row: { cardId: "card_noclient" } },
}

const entryOf = (code: string) => {
  const entry = giftcardErrors.find((one) => one.code === code)
  if (entry === undefined) throw new Error(`The catalogue does not have ${code}.`)
  return entry
}

const entryAt = (status: number) => {
  const entry = giftcardErrors.find((one) => one.status === status && one.code === null)
  if (entry === undefined) throw new Error(`The catalogue does not have ${status}.`)
  return entry
}

/** The note that says what a code means: its title, what happened and the next step, with the code at the end. */
async function seesEntry(page: Page, { title, next }: CatalogueEntry, code: string): Promise<void> {
  const note = page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: title }).first()
  await expect(note).toBeVisible()
  await expect(note).toContainText(next)
  await expect(note).toContainText(code)
}

test("a way is known for every code", () => {
  expect([...Object.keys(issues), "AMBIGUOUS_EXTERNAL_REF"].toSorted()).toEqual(
    giftcardErrors.flatMap(({ code }) => code ?? []).toSorted(),
  )
})

test.describe("what each code of the gift-card document means stands where it is met", () => {
  let number = 0

  for (const [code, { before, row, at }] of Object.entries(issues)) {
    test(`${code}: the ${at === "pause" ? "paused job" : "row"} says it`, async ({ page, cards }) => {
      await signIn(page, cards.app.url)
      await before?.(cards)
      number += 1
      const job = await startCards(page, cards, [cardRow(`code-${code.toLowerCase()}-${number}`, row)])
      await page.goto(`${cards.app.url}/jobs/${job}${at === "row" ? "?row=1" : ""}`)
      await seesEntry(page, entryOf(code), code)
    })
  }

  test("401, which has no code: the paused job says it", async ({ page, cards }) => {
    await signIn(page, cards.app.url)
    cards.between.meddle({ wrongKey: true })
    const job = await startCards(page, cards, [cardRow("no-code-401")])
    await page.goto(`${cards.app.url}/jobs/${job}`)
    await seesEntry(page, entryAt(401), "401")
  })

  test("404 of an issue, which has no code: the paused job leads to the templates", async ({
    page,
    cards,
  }) => {
    await signIn(page, cards.app.url)
    const job = await startCards(page, cards, [cardRow("no-code-404", { cardId: "card_none" })])
    await page.goto(`${cards.app.url}/jobs/${job}`)
    await seesEntry(page, templateNotFound, "template_not_found")
    await page.getByRole("link", { name: "Open card templates" }).click()
    await expect(page).toHaveURL(/\/settings\/gift-cards/)
  })

  test("AMBIGUOUS_EXTERNAL_REF: the look-up asks for the template", async ({ page, cards }) => {
    await signIn(page, cards.app.url)
    await page.goto(`${cards.app.url}/cards?open=look-up&find=SPRINT-0131`)
    const { title } = entryOf("AMBIGUOUS_EXTERNAL_REF")
    await expect(page.getByText(title)).toBeVisible()
    await expect(page.getByText("AMBIGUOUS_EXTERNAL_REF")).toBeVisible()
    await expect(page.getByText("Choose a template", { exact: true })).toBeVisible()
  })

  test("every code stands on the page of codes with its words and its step", async ({ page, cards }) => {
    await signIn(page, cards.app.url)
    await page.goto(`${cards.app.url}/settings/errors`)
    for (const { code, status, title, happened, next } of giftcardErrors) {
      const entry = page
        .getByRole("listitem")
        .filter({ hasText: code ?? "no code" })
        .filter({ hasText: String(status) })
        .filter({ hasText: happened })
      await expect(entry.first()).toContainText(title)
      await expect(entry.first()).toContainText(next)
    }
    reportMeasurement(
      test.info(),
      `gift-card codes: ${giftcardErrors.length} entries on the page, ${Object.keys(issues).length + 1} codes and 401, 404 met in the browser`,
    )
  })
})
