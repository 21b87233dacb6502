import { Link } from "@tanstack/react-router"
import { usePageTitle } from "../ui/hooks.ts"
import classes from "./message-page.module.css"

/** An address that leads nowhere. */
export function NotFoundPage() {
  usePageTitle("Page not found")
  return (
    <div className={classes.page}>
      <h1 tabIndex={-1}>Page not found</h1>
      <p className="text-secondary">Check the address, or go back to Home.</p>
      <div className={classes.actions}>
        <Link to="/" className="l-link">
          Go to Home
        </Link>
      </div>
    </div>
  )
}
