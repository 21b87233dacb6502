import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowRight,
  IconCircleCheck,
  IconHelpCircle,
} from "@tabler/icons-react"
import type { RedeemCheck } from "./redeem-checks.ts"
import classes from "./redeem-fields.module.css"

const icons = {
  ok: IconCircleCheck,
  no: IconAlertCircle,
  warning: IconAlertTriangle,
  unknown: IconHelpCircle,
} as const

/** What the redemption depends on, before it is sent: with the balance and the stock after it. */
export function CheckList({ checks }: { checks: readonly RedeemCheck[] }) {
  return (
    <ul className={classes.checks} aria-label="Checks" aria-live="polite">
      {checks.map(({ id, state, words, change }) => {
        const Icon = icons[state]
        return (
          <li key={id} className={classes.check} data-state={state}>
            <Icon size={16} stroke={1.75} aria-hidden />
            <span className={classes.grow}>{words}</span>
            {change !== undefined && (
              <span className={classes.change}>
                {change.from}
                <IconArrowRight size={14} stroke={2} aria-label="becomes" />
                <b>{change.to}</b> {id === "points" ? "points after" : "left after"}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
