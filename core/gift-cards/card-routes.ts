import {
  adoptCardBody,
  type CardFund,
  cardListQuery,
  fundCost,
  referenceCheckBody,
  revealBody,
} from "../../contract/cards.ts"
import { limits } from "../../contract/limits.ts"
import { grantOf } from "../../contract/roles.ts"
import { adoptCard, cardView, checkReferences, lookUpCard } from "./look-up.ts"
import { revealCard } from "./reveal-card.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { forbidden, notFound, stored } from "../errors.ts"
import { success } from "../http.ts"
import { readBody, readQuery } from "../validation.ts"

/** The register of issued cards, and what a person looks up at the service or reveals. */
export const cardRoutes: readonly Route[] = [
  route("GET /cards", "cards.read", ["people", "query"], async ({ store, clock }, request) => {
    const query = readQuery(request.search, cardListQuery)
    // Who sees jobs without their people learns no names from a job's cards either, nor by searching among them.
    const nameless = query.job !== undefined && grantOf(request.user.role, "jobs.read") === "redacted"
    if (nameless && (query.search ?? "") !== "") {
      throw forbidden(
        "Your role sees a job’s cards without their people, so they can’t be searched. Nothing was read.",
      )
    }
    const { page = 1, per_page = limits.perPage.default } = query
    const now = clock.now()
    const { cards, total } = await stored(store.cards.list({ ...query, page, per_page, now }))
    const shown = cards.map((card) =>
      nameless ? { ...card, member: { ...card.member, email: null, name: null } } : card,
    )
    return success(
      shown.map((card) => cardView(card, now)),
      { meta: { page, per_page, total } },
    )
  }),
  route("GET /cards/facets", "cards.read", [], async ({ store }) => {
    return success(await stored(store.cards.facets()))
  }),
  route("GET /cards/fund", "cards.issue", [], async (context) => success(await fundOf(context))),
  route("POST /cards/adopt", "cards.issue", [], async (context, request) => {
    const body = readBody(request.body, adoptCardBody)
    const { card, added } = await adoptCard(context, request, body)
    return success(cardView(card, context.clock.now()), { status: added ? 201 : 200 })
  }),
  route("POST /cards/check-references", "cards.issue", [], async (context, request) => {
    return success(await checkReferences(context, request, readBody(request.body, referenceCheckBody)))
  }),
  route("GET /cards/{id}", "cards.read", ["people"], async ({ store, clock }, _request, { id = "" }) => {
    const card = await stored(store.cards.get(id))
    if (card === undefined) {
      throw notFound(
        "There’s no card with this id in the register. Look it up to add a card issued elsewhere.",
      )
    }
    return success(cardView(card, clock.now()))
  }),
  route("POST /cards/{id}/look-up", "cards.read", [], async (context, request, { id = "" }) => {
    const known = await stored(context.store.cards.get(id))
    if (known === undefined)
      throw notFound("There’s no card with this id in the register. Nothing was looked up.")
    return success(cardView(await lookUpCard(context, request, known), context.clock.now()))
  }),
  // The link, to this one response and nowhere else.
  route("POST /cards/{id}/reveal", "secrets.reveal", [], async (context, request, { id = "" }) => {
    const { reason } = readBody(request.body, revealBody)
    context.budget.personActive()
    return success(await revealCard(context, request, id, reason))
  }),
]

/** The fund as entered, less what live cards issued here since then draw by costs as entered. */
export async function fundOf({
  store,
  settings,
}: Pick<CoreContext, "store" | "settings">): Promise<CardFund> {
  const costs = await settings.get("cardCosts")
  const since = costs.fund_at === null ? 0 : Date.parse(costs.fund_at)
  const { cards, amountCents } = await stored(store.cards.issuedSince(since))
  const drawn = fundCost(costs, amountCents, cards)
  return {
    entered_cents: costs.fund_cents,
    entered_at: costs.fund_at,
    cards,
    drawn_cents: drawn,
    left_cents: costs.fund_cents === null ? null : costs.fund_cents - drawn,
  }
}
