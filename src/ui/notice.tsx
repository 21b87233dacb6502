import { Alert, Group } from "@mantine/core"
import { IconAlertCircle, IconCircleCheck, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react"
import type { ReactNode } from "react"

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
  /** Shows a button that closes it. */
  onClose?: () => void
  detail?: string | undefined
}) {
  const { tone, title, children, action, onClose, detail = "" } = props
  const Icon = icons[tone]
  const hasFoot = action !== undefined || detail !== ""
  const hasText = children !== undefined && children !== null
  return (
    <Alert
      role={tone === "danger" ? "alert" : "status"}
      data-tone={tone}
      icon={<Icon size={16} stroke={1.75} aria-hidden />}
      title={title}
      {...(onClose !== undefined && { withCloseButton: true, closeButtonLabel: "Close", onClose })}
    >
      {(hasText || hasFoot) && (
        <>
          {hasText && <div className="text-secondary wrap-anywhere">{children}</div>}
          {hasFoot && (
            <Group gap="4px 16px" mt={6} className="l-meta">
              {action}
              {detail !== "" && <span className="text-muted wrap-anywhere">{detail}</span>}
            </Group>
          )}
        </>
      )}
    </Alert>
  )
}
