import { Link } from "@tanstack/react-router"
import { usePageTitle } from "../ui/use-page-title.ts"
import classes from "./message-page.module.css"

/** An address that leads nowhere. */
export function NotFoundPage() {
  usePageTitle("No such page")
  return (
    <div className={classes.page}>
      <h1 tabIndex={-1}>There is no such page</h1>
      <p className="l-2">The link may be mistyped, or it belongs to a part that is not there yet.</p>
      <div className={classes.actions}>
        <Link to="/" className="l-link">
          Go to the start
        </Link>
      </div>
    </div>
  )
}
