import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { limits } from "../../../contract/limits.ts"
import type { LinkPurpose } from "../../../contract/session.ts"
import { setPasswordBody } from "../../../contract/users.ts"
import { ApiError } from "../../lib/errors.ts"
import { aboutQuery, linkQuery, setPassword } from "../../api/session.ts"
import { Notice } from "../../ui/notice.tsx"
import {
  AccountName,
  PlainField,
  PlainForm,
  RefusalNotice,
  SessionPage,
  usePlainForm,
} from "./session-page.tsx"

let taken: string | null = null

/** Reads the token from the fragment, which browsers do not send, and removes it from the URL and the history. */
function readToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token")
  if (token !== null && token !== "") {
    taken = token
    window.history.replaceState(window.history.state, "", window.location.pathname)
  }
  return taken
}

/** A one-time link: sets up the first administrator, or a user's new password. */
export function SetPasswordPage() {
  const router = useRouter()
  const [token, setToken] = useState(readToken)
  // A link pasted into this tab changes only the fragment.
  useEffect(() => {
    const take = () => setToken(readToken())
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [])
  const { data: about } = useQuery(aboutQuery)
  const link = useQuery({ ...linkQuery(token ?? ""), enabled: token !== null })
  const setUp = link.data?.purpose === "set-up"
  const isUsed = link.error instanceof ApiError && link.error.status < 500
  return (
    <SessionPage
      about={about}
      title={setUp ? "Set up Laurel" : "Set your password"}
      lead={setUp ? "You’ll be the first administrator." : (link.data?.email ?? "The link works once.")}
    >
      {token === null && <BadLink title="The link is incomplete" />}
      {token !== null && link.isPending && <output className="text-muted">Checking the link…</output>}
      {isUsed ? <BadLink title="This link no longer works" /> : <RefusalNotice error={link.error} />}
      {token !== null && link.data !== undefined && link.error === null && (
        <SetPasswordForm
          key={token}
          token={token}
          link={link.data}
          onDone={() => void router.navigate({ to: "/", replace: true })}
        />
      )}
    </SessionPage>
  )
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
      A link works once and for 24 hours, or one hour if it sets Laurel up. Open the full link again, or ask
      an administrator for a new one.
    </Notice>
  )
}

function SetPasswordForm(props: { token: string; link: LinkPurpose; onDone: () => void }) {
  const { token, link, onDone } = props
  const queryClient = useQueryClient()
  const first = { name: "", email: link.email ?? "", password: "" }
  const form = usePlainForm(first, setPasswordBody, async (body) => {
    await setPassword(queryClient, body)
    onDone()
  })
  const setUp = link.purpose === "set-up"
  const body = () => {
    const { name, email, password } = form.values
    return { token, password, ...(setUp && { name, email: email.trim() }) }
  }
  return (
    <PlainForm
      form={form}
      body={body}
      action={setUp ? "Create the administrator account" : "Set the password and sign in"}
    >
      {setUp ? (
        <>
          <PlainField label="Your name" autoComplete="name" {...form.field("name")} />
          <PlainField label="E-mail" type="email" autoComplete="username" {...form.field("email")} />
        </>
      ) : (
        <AccountName email={first.email} />
      )}
      <PlainField
        type="password"
        label="New password"
        help={`At least ${limits.passwordMin} characters. A phrase works well.`}
        autoComplete="new-password"
        {...form.field("password")}
      />
      <RefusalNotice error={form.error} what="Couldn’t set the password." />
    </PlainForm>
  )
}
