import {
  IconAlertCircle,
  IconArrowsExchange,
  IconCircleCheckFilled,
  IconClockHour4,
  IconHelpCircle,
  IconInfoCircle,
} from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./strip.module.css"

/** How a strip looks: kept and saved, waiting or asked, another order opened, refused, or only said. */
export type StripTone = "success" | "warning" | "question" | "switched" | "danger" | "info"

const icons = {
  success: IconCircleCheckFilled,
  warning: IconClockHour4,
  question: IconHelpCircle,
  switched: IconArrowsExchange,
  danger: IconAlertCircle,
  info: IconInfoCircle,
} as const

interface StripProps {
  tone: StripTone
  title: string
  children?: ReactNode
  /** At its end: the time, and what can be done. */
  end?: ReactNode
}

/** What came of the last scan, over the whole width: a colour, an icon and words. */
export function Strip({ tone, title, children, end }: StripProps) {
  const Icon = icons[tone]
  return (
    <div className={classes.strip} data-tone={tone}>
      <Icon size={28} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children !== undefined && <div className={classes.text}>{children}</div>}
      </div>
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
