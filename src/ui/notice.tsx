import { Alert, Group } from "@mantine/core"
import { IconAlertCircle, IconCircleCheck, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { CatalogueAction } from "../../contract/error-catalogue.ts"
import { explain, withoutRepeats } from "../lib/errors.ts"
import { Button } from "./button.tsx"

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

/** An error in place: what failed, why, and a retry button; renders nothing without an error. */
export function ErrorNotice(props: { error: unknown; what: string; onRetry?: (() => unknown) | undefined }) {
  const { error, what, onRetry } = props
  if (!error) return null
  const { tone, title, body, next, action, detail } = explain(error)
  const step = catalogueStep(action)
  const retry = onRetry && (
    <Button size="xs" onClick={() => void onRetry()}>
      Try again
    </Button>
  )
  return (
    <Notice
      tone={tone}
      title={title}
      detail={detail}
      action={
        (retry ?? step) && (
          <>
            {retry}
            {step}
          </>
        )
      }
    >
      {[what, withoutRepeats(body, what), next].filter(Boolean).join(" ")}
    </Notice>
  )
}

/** Steps with their own page; others happen in place or need no action. */
const steps: Partial<Record<CatalogueAction, LinkProps & { children: string }>> = {
  "find-member": { to: "/members", children: "Find the member" },
  "look-up-card": { to: "/cards", search: { open: "look-up" }, children: "Look up a card" },
  "open-connections": { to: "/settings/status", children: "Open the service status" },
  "open-status": { to: "/settings/status", children: "Open the service status" },
  "open-templates": { to: "/settings/gift-cards", children: "Open card templates" },
  "resume-job": { to: "/jobs", search: { state: "paused" }, children: "Show the paused jobs" },
}

/** The next step of an error as a link; undefined if it has no page. */
export function catalogueStep(action: CatalogueAction | undefined) {
  const step = action && steps[action]
  return step && <Link {...step} className="l-link" />
}
