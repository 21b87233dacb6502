import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { giftcardRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { cardCostsQuery, cardFundQuery, cardTemplatesQuery } from "../../../api/gift-cards.ts"
import type { ImportSession } from "../../../import/session/import-session.ts"
import { forecastOf, type Forecast, type ForecastRow } from "./forecast.ts"

/** What the rows that would be sent come to; undefined while it is worked out. */
export function useForecast(session: ImportSession): { forecast: Forecast | undefined; left: number | null } {
  const { state } = session
  const templates = useQuery(cardTemplatesQuery)
  const costs = useQuery(cardCostsQuery)
  const fund = useQuery(cardFundQuery)
  const usual = templates.data?.default ?? undefined
  const rows = useQuery({
    queryKey: ["card-file-rows", state.key, state.revision, usual],
    queryFn: () => readRows(session, usual),
    enabled: !state.busy && templates.data !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const left = fund.data?.left_cents ?? null
  return {
    left,
    forecast:
      rows.data === undefined || costs.data === undefined
        ? undefined
        : forecastOf(rows.data, costs.data, left),
  }
}

async function readRows(
  { state, accepted }: ImportSession,
  usual: string | undefined,
): Promise<ForecastRow[]> {
  const read: ForecastRow[] = []
  for (let at = 0; at < state.included; at += limits.jobRowsAdded) {
    const { rows, numbers } = await accepted(at, limits.jobRowsAdded)
    for (const [index, row] of rows.entries()) {
      const card = giftcardRow.safeParse(row).data
      if (card === undefined) continue
      const { denomination, cardId = usual } = card
      read.push({ number: numbers[index] ?? 0, denomination, cardId })
    }
    if (rows.length === 0) break
  }
  return read
}
