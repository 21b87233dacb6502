import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { type CardCosts, drawnBy } from "../../../contract/cards.ts"
import { giftcardRow, type TakenBy } from "../../../contract/job-rows.ts"
import { limits } from "../../../contract/limits.ts"
import { cardCostsQuery, cardFundQuery, cardTemplatesQuery, checkReferences } from "../../api/gift-cards.ts"
import type { ImportSession } from "../../import/import-session.ts"
import type { UsedReference } from "../../import/recipe.ts"
import { centsOf } from "../../lib/format.ts"

/** A row of the file that would be sent. */
export interface FileCard {
  readonly number: number
  /** Dollars. */
  readonly denomination: number
  /** Id of the card template, the default one where the row names none; undefined where there is none at all. */
  readonly cardId: string | undefined
  readonly reference: string | undefined
}

async function readCards({ state, read }: ImportSession, usual: string | undefined): Promise<FileCard[]> {
  const cards: FileCard[] = []
  for (let at = 0; at < state.included; at += limits.jobRowsAdded) {
    const from = at
    for (const { number, row } of await read((sheet) => sheet.accepted(from, limits.jobRowsAdded))) {
      const card = giftcardRow.safeParse(row).data
      if (card === undefined) continue
      const { denomination, cardId = usual, externalRef: reference } = card
      cards.push({ number, denomination, cardId, reference })
    }
  }
  return cards
}

/** What the rows come to, by costs and fund as entered in the settings. */
export type Forecast = ReturnType<typeof forecastOf>

/** Sums rows up in their order, as they are sent; `leftCents` is what is in the fund as entered, if it was. */
export function forecastOf(
  rows: readonly Pick<FileCard, "number" | "denomination" | "cardId">[],
  costs: CardCosts,
  leftCents: number | null,
) {
  /** How many rows each template has; undefined is a row without one. */
  const templates = new Map<string | undefined, number>()
  let faceCents = 0
  let drawnCents = 0
  let last = 0
  /** Number of the last row that the fund covers, 0 for not even the first; null where it covers all. */
  let dryAfter: number | null = null
  for (const { number, denomination, cardId } of rows) {
    const face = centsOf(denomination)
    faceCents += face
    drawnCents += drawnBy(costs, face)
    if (leftCents !== null && dryAfter === null && drawnCents > leftCents) dryAfter = last
    last = number
    templates.set(cardId, (templates.get(cardId) ?? 0) + 1)
  }
  const feeCents = costs.fee_cents * rows.length
  return { faceCents, feeCents, gstCents: drawnCents - faceCents - feeCents, drawnCents, dryAfter, templates }
}

/** A reference of the file that is in use already. */
export interface FoundReference extends UsedReference {
  readonly taken: TakenBy
}

const none: readonly FoundReference[] = []

/** What the rows that would be sent come to, undefined until it is worked out, and their references in use. */
export function useFileCards(session: ImportSession) {
  const { state } = session
  const templates = useQuery(cardTemplatesQuery)
  const costs = useQuery(cardCostsQuery)
  // Cents; null where nothing was entered.
  const left = useQuery(cardFundQuery).data?.left_cents ?? null
  // A row with a problem is not among those that are read, so what was found once is kept.
  const known = useRef<KnownReferences>(new Map())
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
  // The same references stay the same value: the sheet is checked against them again where they change.
  if (found !== used && JSON.stringify(found) !== JSON.stringify(used)) setUsed(found)
  return { left, used, forecast: data && costs.data && forecastOf(data.cards, costs.data, left) }
}

/** What was found for a template and a reference; null: it is free. */
type KnownReferences = Map<string, FoundReference | null>

/** Looks references up that are not known, in parts: in the register, and in the rows that have claimed one. */
async function lookUpReferences(
  cards: readonly FileCard[],
  known: KnownReferences,
  signal: AbortSignal,
): Promise<void> {
  const unknown = new Map<string, { readonly template: string; readonly reference: string }>()
  for (const { cardId: template, reference } of cards) {
    if (!reference || template === undefined) continue
    const key = JSON.stringify([template, reference])
    if (!known.has(key)) unknown.set(key, { template, reference })
  }
  const entries = [...unknown]
  for (let at = 0; at < entries.length; at += limits.referencesAtOnce) {
    const part = entries.slice(at, at + limits.referencesAtOnce)
    const pairs = part.map(([, pair]) => pair)
    const checks = await checkReferences(pairs, false, signal)
    for (const [index, [key, pair]] of part.entries()) {
      const taken = checks[index]?.by
      if (taken !== undefined) known.set(key, taken && { ...pair, by: ownerOf(taken), taken })
    }
  }
}

function ownerOf({ card_id, job }: TakenBy): string {
  if (card_id !== null) return `card ${card_id}`
  return job === null ? "another card" : `row ${job.row} of job ${job.id}`
}
