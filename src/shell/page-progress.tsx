import { useRouterState } from "@tanstack/react-router"
import classes from "./page-progress.module.css"

/**
 * A line at the top of the page while another is fetched: the page before it stays until then, so the click would
 * go without an answer. A page that comes at once shows none.
 */
export function PageProgress() {
  const loading = useRouterState({ select: ({ isLoading }) => isLoading })
  return (
    <output className={classes.progress} data-loading={loading || undefined}>
      {loading && <span className="visually-hidden">Loading the page…</span>}
    </output>
  )
}
