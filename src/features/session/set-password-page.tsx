import { useQuery } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { ApiError } from "../../api/errors.ts"
import { aboutQuery, linkQuery } from "../../api/session.ts"
import { Notice } from "../../ui/notice.tsx"
import { RefusalNotice } from "./refusal-notice.tsx"
import { SessionPage } from "./session-page.tsx"
import { SetPasswordForm } from "./set-password-form.tsx"
import { takeToken } from "./take-token.ts"

/** A one-time link: sets the first administrator up, or a person's new password. */
export function SetPasswordPage() {
  const router = useRouter()
  const [token] = useState(takeToken)
  const { data: about } = useQuery(aboutQuery)
  const link = useQuery({ ...linkQuery(token ?? ""), enabled: token !== null })
  const setUp = link.data?.purpose === "set-up"

  return (
    <SessionPage
      about={about}
      title={setUp ? "Set up Laurel" : "Set your password"}
      lead={setUp ? "You’ll be the first administrator." : (link.data?.email ?? "The link works once.")}
    >
      {token === null ? (
        <BadLink title="The link is incomplete" />
      ) : link.error !== null ? (
        <LinkError error={link.error} />
      ) : link.data === undefined ? (
        <output className="text-muted">Checking the link…</output>
      ) : (
        <SetPasswordForm
          token={token}
          purpose={link.data.purpose}
          email={link.data.email}
          onDone={() => void router.navigate({ to: "/", replace: true })}
        />
      )}
    </SessionPage>
  )
}

function LinkError({ error }: { error: Error }) {
  if (error instanceof ApiError && error.status < 500) return <BadLink title="This link no longer works" />
  return <RefusalNotice error={error} />
}

function BadLink({ title }: { title: string }) {
  return (
    <Notice
      tone="danger"
      title={title}
      action={
        <Link to="/sign-in" search={{}} className="l-link">
          Sign in
        </Link>
      }
    >
      A link works once and for one hour. Open the full link again, or ask an administrator for a new one.
    </Notice>
  )
}
