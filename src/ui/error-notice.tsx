import { Link, type LinkProps } from "@tanstack/react-router"
import type { CatalogueAction } from "../../contract/error-catalogue.ts"
import { explain } from "../lib/errors.ts"
import { Notice } from "./notice.tsx"
import { Button } from "./button.tsx"

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
      {[what, body, next].filter(Boolean).join(" ")}
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
