import { expect, type Page } from "@playwright/test"
import { type CatalogueEntry, giftcardErrors, templateNotFound } from "../../contract/error-catalogue.ts"
import { cardRow, startCards, type CardRow, type CardsApp } from "./cards-app.ts"
import { signIn, test } from "./app.ts"
import { reportMeasurement } from "./report-measurement.ts"

/** How to provoke an error code, and where Laurel shows it. */
interface Trigger {
  readonly before?: (cards: CardsApp) => Promise<unknown>
  readonly row?: Partial<CardRow>
  /** `pause`: the paused job's note; `row`: the row's panel. */
  readonly at: "pause" | "row"
}

const issues: Readonly<Record<string, Trigger>> = {
  // Laurel always sends a template, so the proxy removes it.
  NO_CARD_SPECIFIED: {
    at: "pause",
    before: async ({ service, proxy }) => {
      proxy.alter({ dropTemplate: true })
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
    // Laurel's first call times out, and its retry meets the request in progress.
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

/** Expects the note of a code: title, next step and the code. */
async function expectEntry(page: Page, { title, next }: CatalogueEntry, code: string): Promise<void> {
  const note = page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: title }).first()
  await expect(note).toBeVisible()
  await expect(note).toContainText(next)
  await expect(note).toContainText(code)
}

test("every code has a test", () => {
  expect([...Object.keys(issues), "AMBIGUOUS_EXTERNAL_REF"].toSorted()).toEqual(
    giftcardErrors.flatMap(({ code }) => code ?? []).toSorted(),
  )
})

test.describe("errors of the gift-card service", () => {
  let number = 0

  for (const [code, { before, row, at }] of Object.entries(issues)) {
    test(`${code} is explained on the ${at === "pause" ? "paused job" : "row"}`, async ({ page, cards }) => {
      await signIn(page, cards.app.url)
      await before?.(cards)
      number += 1
      const job = await startCards(page, cards, [cardRow(`code-${code.toLowerCase()}-${number}`, row)])
      await page.goto(`${cards.app.url}/jobs/${job}${at === "row" ? "?row=1" : ""}`)
      await expectEntry(page, entryOf(code), code)
    })
  }

  test("a 401 without a code is explained on the paused job", async ({ page, cards }) => {
    await signIn(page, cards.app.url)
    cards.proxy.alter({ wrongKey: true })
    const job = await startCards(page, cards, [cardRow("no-code-401")])
    await page.goto(`${cards.app.url}/jobs/${job}`)
    await expectEntry(page, entryAt(401), "401")
  })

  test("a 404 of an issue is explained on the paused job with a link to the templates", async ({
    page,
    cards,
  }) => {
    await signIn(page, cards.app.url)
    const job = await startCards(page, cards, [cardRow("no-code-404", { cardId: "card_none" })])
    await page.goto(`${cards.app.url}/jobs/${job}`)
    await expectEntry(page, templateNotFound, "template_not_found")
    await page.getByRole("link", { name: "Open card templates" }).click()
    await expect(page).toHaveURL(/\/settings\/gift-cards/)
  })

  test("AMBIGUOUS_EXTERNAL_REF: the lookup asks for the template", async ({ page, cards }) => {
    await signIn(page, cards.app.url)
    await page.goto(`${cards.app.url}/cards?open=look-up&find=SPRINT-0131`)
    const { title } = entryOf("AMBIGUOUS_EXTERNAL_REF")
    await expect(page.getByText(title)).toBeVisible()
    await expect(page.getByText("AMBIGUOUS_EXTERNAL_REF")).toBeVisible()
    await expect(page.getByText("Choose a template", { exact: true })).toBeVisible()
  })

  test("the error page lists every code with its title and next step", async ({ page, cards }) => {
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
