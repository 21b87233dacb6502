import { formatCount, formatMoney } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import type { Forecast } from "./forecast.ts"

interface FundNoteProps {
  forecast: Forecast
  left: number | null
  currency: string
}

/** Whether the fund as entered covers the rows, and after which one it does not. */
export function FundNote({ forecast: { drawnCents, dryAfter }, left, currency }: FundNoteProps) {
  if (left === null || dryAfter === null) return null
  const short = formatMoney(drawnCents - left, currency)
  return (
    <Notice
      tone="warning"
      title={
        dryAfter === 0
          ? "The fund doesn’t cover the first row"
          : `The fund runs out after row ${formatCount(dryAfter)}`
      }
    >
      It is {short} short. If the service finds it empty, the job stops after one call and goes on after a
      top-up: nothing is issued twice.
    </Notice>
  )
}
