import { IconAlertCircle, IconCircleCheck, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./notice.module.css"

const icons = {
  danger: IconAlertCircle,
  warning: IconHelpCircle,
  info: IconInfoCircle,
  success: IconCircleCheck,
}

/**
 * A note in place: what happened, what was and was not done, what to do. `danger` (refusals) is announced immediately;
 * `warning` is for unknown outcomes, `info` for old or late data, `success` for completed actions.
 */
export function Notice(props: {
  tone: keyof typeof icons
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  end?: ReactNode
  detail?: string | undefined
}) {
  const { tone, title, children, action, end, detail = "" } = props
  const Icon = icons[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={tone === "danger" ? "alert" : "status"}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <div className="grow">
        <div className="l-medium">{title}</div>
        {children !== undefined && children !== null && (
          <div className="text-secondary wrap-anywhere">{children}</div>
        )}
        {(action !== undefined || detail !== "") && (
          <div className={`l-meta ${classes.footer}`}>
            {action}
            {detail !== "" && <span className="text-muted wrap-anywhere">{detail}</span>}
          </div>
        )}
      </div>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
