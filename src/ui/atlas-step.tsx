import { Link } from "@tanstack/react-router"
import type { AtlasAction } from "../../contract/error-catalogue.ts"

/**
 * The next step of an error as a link, where a page of the desk is the place to take it. Nothing for steps that are
 * taken where the error stands, and for those that nobody has to take.
 */
export function AtlasStep({ action }: { action: AtlasAction | undefined }) {
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
export function hasStep(action: AtlasAction | undefined): boolean {
  return action !== undefined && !["correct", "retry", "wait"].includes(action)
}
