import { cardListQuery, type CardListQuery, drawnBy } from "../../../contract/cards.ts"
import { limits } from "../../../contract/limits.ts"
import { grantOf } from "../../../contract/roles.ts"
import { forbidden, notFound, stored } from "../../errors.ts"
import type { CardQuery } from "../../gift-cards/card-store.ts"
import { cardView } from "../../gift-cards/look-up.ts"
import { success } from "../../http.ts"
import type { OwnHandler } from "../../routes.ts"
import { noQuery, readQuery } from "../../validation.ts"

const dayMs = 86_400_000

/** `GET /api/cards`: the register, newest first unless asked otherwise. */
export const listCards: OwnHandler = async ({ store, clock }, request) => {
  const asked = readQuery(request.search, cardListQuery)
  // Who sees jobs without their people learns no names from a job's cards either, nor by searching among them.
  const nameless = asked.job !== undefined && grantOf(request.user.role, "jobs.read") === "redacted"
  if (nameless && (asked.search ?? "") !== "") {
    throw forbidden(
      "Your role sees a job’s cards without their people, so they can’t be searched. Nothing was read.",
    )
  }
  const query = storeQuery(asked, clock.now())
  const { cards, total } = await stored(store.cards.list(query))
  const { page, perPage } = query
  return success(
    cards.map((card) => cardView(nameless ? { ...card, email: null, name: null } : card, clock.now())),
    { meta: { page, per_page: perPage, total } },
  )
}

/** `GET /api/cards/{id}`. */
export const getCard: OwnHandler = async ({ store, clock }, request, { id = "" }) => {
  noQuery(request.search)
  const card = await stored(store.cards.get(id))
  if (card === undefined) {
    throw notFound("There’s no card with this id in the register. Look it up to add a card issued elsewhere.")
  }
  return success(cardView(card, clock.now()))
}

/** `GET /api/cards/facets`: what there is to filter by. */
export const getCardFacets: OwnHandler = async ({ store }, request) => {
  noQuery(request.search)
  return success(await stored(store.cards.facets()))
}

/** `GET /api/cards/fund`: the fund as entered, less what live cards issued here since then draw by costs as entered. */
export const getCardFund: OwnHandler = async ({ store, settings }, request) => {
  noQuery(request.search)
  const costs = await settings.get("cardCosts")
  const since = costs.fund_at === null ? 0 : Date.parse(costs.fund_at)
  const { cards, amountCents } = await stored(store.cards.issuedSince(since))
  const drawn = amountCents + cards * drawnBy(costs, 0)
  return success({
    entered_cents: costs.fund_cents,
    entered_at: costs.fund_at,
    cards,
    drawn_cents: drawn,
    left_cents: costs.fund_cents === null ? null : costs.fund_cents - drawn,
  })
}

function storeQuery(query: CardListQuery, now: number): CardQuery {
  const { search, expiring_days, test, job, person, member, from, to } = query
  return {
    search: search === "" ? undefined : search,
    template: query.template,
    status: query.status,
    expires: expiring_days === undefined ? undefined : { from: now, to: now + expiring_days * dayMs },
    isTest: test === undefined ? undefined : test === "yes",
    origin: query.origin,
    jobId: job,
    by: person,
    memberId: member,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    sort: query.sort ?? "newest",
    page: query.page ?? 1,
    perPage: query.per_page ?? limits.perPage.default,
  }
}
