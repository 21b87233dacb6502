import { IconUnlink } from "@tabler/icons-react"
import { useQueryErrorResetBoundary } from "@tanstack/react-query"
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router"
import { explain, UnreadableResponse } from "../lib/errors.ts"
import { usePageTitle } from "../ui/hooks.ts"
import { Notice } from "../ui/notice.tsx"
import classes from "./message-pages.module.css"
import { PageHeader } from "../ui/page-header.tsx"
import { EmptyState } from "../ui/query-state.tsx"
import { Button, LinkButton } from "../ui/button.tsx"

/** The page for a failed route; an unreadable response is shown with its problem. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  const { tone, title, body, next, detail } = explain(error)
  usePageTitle(title)

  const again = () => {
    boundary.reset()
    reset()
    void router.invalidate()
  }

  return (
    <div className={classes.page}>
      <h1 tabIndex={-1}>{title}</h1>
      <Notice tone={tone} title={body} detail={detail}>
        {next}
      </Notice>
      {error instanceof UnreadableResponse && (
        <details>
          <summary className="text-secondary">Details of the response</summary>
          <pre>{error.message}</pre>
        </details>
      )}
      <p className="l-with-icon">
        <Button variant="filled" onClick={again}>
          Try again
        </Button>
        <Link to="/" className="l-link">
          Go to Home
        </Link>
      </p>
    </div>
  )
}

/** An address that cannot be decoded. It is shown outside the shell, so it cannot use Mantine. */
export function DamagedLinkPage() {
  const title = "This link is damaged"
  usePageTitle(title)
  return (
    <div className={classes.page}>
      <h1 tabIndex={-1}>{title}</h1>
      <p>Part of the address can’t be read, so no page was opened. Nothing was changed.</p>
      <p>Copy the whole link again, or open the record from its list.</p>
      <p>
        <Link to="/" className="l-link">
          Go to Home
        </Link>
      </p>
    </div>
  )
}

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={IconUnlink}
        title="Nothing is at this address"
        help="Check the address, or go back to Home."
        actions={<LinkButton to="/">Go to Home</LinkButton>}
      />
    </>
  )
}
