import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { type CardCosts, fundCost, type ReferenceHolder } from "../../../contract/cards.ts"
import { giftcardRow } from "../../../contract/kinds/giftcard.ts"
import { limits } from "../../../contract/limits.ts"
import { cardCostsQuery, cardFundQuery, cardTemplatesQuery, checkReferences } from "../../api/gift-cards.ts"
import { requestParts } from "../../api/paging.ts"
import type { ImportSession } from "../../import/import-session.ts"
import type { UsedReference } from "../../import/recipe.ts"
import { centsOf } from "../../lib/format.ts"

export interface FileCard {
  readonly number: number
  readonly denomination: number
  /** Id of the card template, the default one if the row has none; undefined without a default. */
  readonly cardId: string | undefined
  readonly reference: string | undefined
}

async function readCards({ read }: ImportSession, usual: string | undefined): Promise<FileCard[]> {
  return (await read((sheet) => sheet.accepted(0, limits.jobRows))).flatMap(({ number, row }) => {
    const card = giftcardRow.safeParse(row).data
    if (card === undefined) return []
    const { denomination, cardId = usual, externalRef: reference } = card
    return [{ number, denomination, cardId, reference }]
  })
}

/** Totals of the rows, by the costs and fund entered in the settings. */
export type Forecast = ReturnType<typeof buildForecast>

/** Totals of the rows in sending order; `leftCents` is the remaining fund, if entered. */
export function buildForecast(
  rows: readonly Pick<FileCard, "number" | "denomination" | "cardId">[],
  costs: CardCosts,
  leftCents: number | null,
) {
  /** Number of rows by template; undefined for rows without one. */
  const templates = new Map<string | undefined, number>()
  let faceCents = 0
  let drawnCents = 0
  let last = 0
  /** Number of the last row that the fund covers, 0 if none; null when it covers all. */
  let dryAfter: number | null = null
  for (const { number, denomination, cardId } of rows) {
    const face = centsOf(denomination)
    faceCents += face
    drawnCents += fundCost(costs, face)
    if (leftCents !== null && dryAfter === null && drawnCents > leftCents) dryAfter = last
    last = number
    templates.set(cardId, (templates.get(cardId) ?? 0) + 1)
  }
  const feeCents = costs.fee_cents * rows.length
  return { faceCents, feeCents, gstCents: drawnCents - faceCents - feeCents, drawnCents, dryAfter, templates }
}

export interface FoundReference extends UsedReference {
  readonly taken: ReferenceHolder
}

const none: readonly FoundReference[] = []

/** Totals of the included rows, undefined until computed, and their references that are in use. */
export function useFileCards(session: ImportSession) {
  const { state } = session
  const templates = useQuery(cardTemplatesQuery)
  const costs = useQuery(cardCostsQuery)
  // Cents; null when not entered.
  const left = useQuery(cardFundQuery).data?.left_cents ?? null
  // Lookup results, null for a free reference. Rows with problems are not read, so earlier results are cached.
  const known = useRef(new Map<string, FoundReference | null>())
  const { data } = useQuery({
    queryKey: ["card-file", state.key, state.revision, templates.data?.default],
    queryFn: async ({ signal }) => {
      const cards = await readCards(session, templates.data?.default ?? undefined)
      await lookUpReferences(cards, known.current, signal)
      return { cards, found: [...known.current.values()].filter((each) => each !== null) }
    },
    enabled: state.phase === "ready" && !state.busy && !templates.isPending,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const [used, setUsed] = useState(none)
  const found = data?.found ?? none
  // A stable value: a new one makes the sheet check its rows again.
  if (found !== used && JSON.stringify(found) !== JSON.stringify(used)) setUsed(found)
  return { left, used, forecast: data && costs.data && buildForecast(data.cards, costs.data, left) }
}

/** Looks up unknown references in batches: in the register, and in rows that have claimed one. */
async function lookUpReferences(
  cards: readonly FileCard[],
  known: Map<string, FoundReference | null>,
  signal: AbortSignal,
): Promise<void> {
  const pairs = cards.flatMap(({ cardId: template, reference }) =>
    template === undefined || !reference ? [] : { template, reference },
  )
  const unknown = [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))]
  const unresolved = unknown.filter(([key]) => !known.has(key))
  for (const part of requestParts(unresolved, limits.referencesAtOnce)) {
    const checks = await checkReferences(
      part.map(([, pair]) => pair),
      false,
      signal,
    )
    for (const [index, [key, pair]] of part.entries()) {
      const taken = checks[index]?.by
      if (taken !== undefined) known.set(key, taken && { ...pair, by: referenceOwner(taken), taken })
    }
  }
}

function referenceOwner({ card_id, job }: ReferenceHolder): string {
  if (card_id !== null) return `card ${card_id}`
  return job === null ? "another card" : `row ${job.row} of job ${job.id}`
}
