import { IconAlertCircle, IconCircleCheck, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./notice.module.css"

interface NoticeProps {
  /** `danger` refused, `warning` not known, `info` old or late, `success` done. */
  tone: "danger" | "warning" | "info" | "success"
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  end?: ReactNode
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
