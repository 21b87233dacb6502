import { IconAlertCircle, IconCircleCheck, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./notice.module.css"

interface NoticeProps {
  /** `danger` refused, `warning` not known, `info` old or late, `success` done. */
  tone: "danger" | "warning" | "info" | "success"
  /** What happened. */
  title: ReactNode
  /** What was and was not done. */
  children?: ReactNode
  /** What to do: a link or a button. */
  action?: ReactNode
  /** At the end of the title's line: what puts the note away. */
  end?: ReactNode
  /** Code and request id, quietly at the end. */
  detail?: string | undefined
}

const icons = {
  danger: IconAlertCircle,
  warning: IconHelpCircle,
  info: IconInfoCircle,
  success: IconCircleCheck,
}

/** A note in place: what happened, what was and was not done, what to do. Refusals are announced at once. */
export function Notice({ tone, title, children, action, end, detail }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={tone === "danger" ? "alert" : "status"}>
      <Icon size={16} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <div className={classes.title}>{title}</div>
        {children !== undefined && children !== null && <div className={classes.text}>{children}</div>}
        {(action !== undefined || (detail !== undefined && detail !== "")) && (
          <div className={classes.foot}>
            {action}
            {detail !== undefined && detail !== "" && <span className={classes.detail}>{detail}</span>}
          </div>
        )}
      </div>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
