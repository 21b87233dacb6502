import * as z from "zod/mini"
import type { CardListQuery, cardOrigins } from "../../../contract/cards.ts"
import { limits } from "../../../contract/limits.ts"
import { momentsOf } from "../../lib/time.ts"
import { choiceParam, dayParams, defined, pagingParams, textParam } from "../../lists/list-params.ts"

// Copied, not imported: the router needs this file at sign-in, and would load the contract with it.
const origins: typeof cardOrigins = ["issued", "adopted", "unexpected"]

/** Number of days that count as soon. */
export const soonDays = 30

/** The register's search params. Invalid values fall back and never break the page. */
export const cardsSearch = z.lazy(() =>
  z.object({
    search: textParam(limits.shortText),
    template: textParam(limits.cardReference),
    status: textParam(limits.shortText),
    expiring: z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(400))), undefined),
    test: choiceParam(["yes", "no"]),
    origin: choiceParam(origins),
    job: textParam(40),
    person: textParam(limits.shortText),
    member: textParam(limits.shortText),
    ...dayParams,
    sort: z._default(z.catch(z.enum(["newest", "expiring"]), "newest"), "newest"),
    ...pagingParams,
    open: choiceParam(["look-up", "reveal", "export"]),
    find: textParam(limits.cardReference),
    in: textParam(limits.cardReference),
    card: textParam(limits.cardReference),
  }),
)
export type CardsSearch = z.output<typeof cardsSearch>

export const cardsDefaults = { page: 1, per_page: limits.perPage.default, sort: "newest" } as const

/** The filters as sent to the server; days are in the program's zone. */
export function toCardFilter(search: CardsSearch, timeZone: string): CardListQuery {
  const { template, status, expiring, test, origin, job, person, member, sort } = search
  return defined({
    search: search.search,
    template,
    status,
    expiring_days: expiring,
    test,
    origin,
    job,
    person,
    member,
    ...momentsOf(search, timeZone),
    sort: sort === "newest" ? undefined : sort,
  })
}

export function toCardPageQuery(search: CardsSearch, timeZone: string): CardListQuery {
  return { ...toCardFilter(search, timeZone), page: search.page, per_page: search.per_page }
}

/**
 * The issue drawer's search params: the member it is `for`, the card to issue `again`, and the job it was `issued`
 * by.
 */
export const issueSearch = z.lazy(() =>
  z.object({
    for: z.catch(z.optional(z.string()), undefined),
    again: textParam(limits.cardReference),
    issued: textParam(40),
  }),
)

export const cardSearch = z.object({ open: choiceParam(["reveal"]) })
