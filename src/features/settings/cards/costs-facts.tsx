import type { CardCosts } from "../../../../contract/cards.ts"
import { useSession } from "../../../api/session.ts"
import { formatMoney } from "../../../lib/format.ts"
import { Facts } from "../facts.tsx"

/** The same for those who may not change it. */
export function CostsFacts({ costs: { fee_cents, gst_percent, fund_cents } }: { costs: CardCosts }) {
  const { currency } = useSession().program
  return (
    <Facts
      rows={[
        ["Fee per card", formatMoney(fee_cents, currency)],
        ["GST on the fee", `${gst_percent} %`],
        ["Fund", fund_cents === null ? "not entered" : formatMoney(fund_cents, currency)],
      ]}
    />
  )
}
