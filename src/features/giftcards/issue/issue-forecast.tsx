import { useQuery } from "@tanstack/react-query"
import { drawnBy } from "../../../../contract/cards.ts"
import { cardCostsQuery, cardFundQuery } from "../../../api/gift-cards.ts"
import { formatMoney } from "../../../lib/format.ts"
import classes from "../issue.module.css"

interface IssueForecastProps {
  /** Face value; undefined while no amount is chosen. */
  cents: number | undefined
  currency: string
}

/** What the card draws from the fund, by fee, GST and fund as entered in the settings. */
export function IssueForecast({ cents, currency }: IssueForecastProps) {
  const { data: costs } = useQuery(cardCostsQuery)
  const { data: fund } = useQuery(cardFundQuery)
  const money = (amount: number) => formatMoney(amount, currency)
  const drawn = cents === undefined || costs === undefined ? undefined : drawnBy(costs, cents)
  const left = fund?.left_cents ?? null
  const after = left === null || drawn === undefined ? undefined : left - drawn
  return (
    <dl className={classes.forecast}>
      {cents !== undefined && costs !== undefined && drawn !== undefined && (
        <div className={classes.line}>
          <dt>Drawn from the fund</dt>
          <dd>
            <b>{money(drawn)}</b>{" "}
            {costs.fee_cents === 0
              ? "face value, no fee set"
              : `= ${money(cents)} + ${money(costs.fee_cents)} fee + ${money(drawn - cents - costs.fee_cents)} GST`}
          </dd>
        </div>
      )}
      {left !== null && (
        <div className={classes.line}>
          <dt>Fund (as entered)</dt>
          <dd className={after !== undefined && after < 0 ? classes.short : "text-secondary"}>
            {after === undefined
              ? `${money(left)} left`
              : after < 0
                ? `${money(left)} left: not enough. The service decides`
                : `${money(left)} left, ${money(after)} after it`}
          </dd>
        </div>
      )}
      <div className={classes.line}>
        <dt>The recipient gets</dt>
        <dd>an e-mail with a one-time link</dd>
      </div>
    </dl>
  )
}
