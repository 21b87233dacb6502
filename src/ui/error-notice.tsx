import { Button } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { CatalogueAction } from "../../contract/error-catalogue.ts"
import { explain } from "../lib/errors.ts"
import { Notice } from "./notice.tsx"

interface ErrorNoticeProps {
  error: unknown
  what: string
  onRetry?: (() => void) | undefined
}

/** An error in place, in a person's words, with a way to try again where there is one. */
export function ErrorNotice({ error, what, onRetry }: ErrorNoticeProps) {
  const { tone, title, body, next, action, detail } = explain(error)
  return (
    <Notice
      tone={tone}
      title={title}
      detail={detail}
      action={
        onRetry === undefined && !hasStep(action) ? undefined : (
          <>
            {onRetry !== undefined && (
              <Button size="xs" onClick={onRetry}>
                Try again
              </Button>
            )}
            <CatalogueStep action={action} />
          </>
        )
      }
    >
      {[what, body, next].filter(Boolean).join(" ")}
    </Notice>
  )
}

/**
 * The next step of an error as a link, where a page of the desk is the place to take it. Nothing for steps that are
 * taken where the error stands, and for those that nobody has to take.
 */
export function CatalogueStep({ action }: { action: CatalogueAction | undefined }) {
  switch (action) {
    case "find-member":
      return (
        <Link to="/members" className="l-link">
          Find the member
        </Link>
      )
    case "look-up-card":
      return (
        <Link to="/cards" search={{ open: "look-up" }} className="l-link">
          Look up a card
        </Link>
      )
    case "open-connections":
    case "open-status":
      return (
        <Link to="/settings/status" className="l-link">
          Open the service status
        </Link>
      )
    case "open-templates":
      return (
        <Link to="/settings/gift-cards" className="l-link">
          Open card templates
        </Link>
      )
    case "resume-job":
      return (
        <Link to="/jobs" search={{ state: "paused" }} className="l-link">
          Show the paused jobs
        </Link>
      )
    default:
      return null
  }
}

/** Whether a step has a page of its own. */
export function hasStep(action: CatalogueAction | undefined): boolean {
  return action !== undefined && !["correct", "retry", "wait"].includes(action)
}
