import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { limits } from "../../../contract/limits.ts"
import { type LinkPurpose, setPasswordBody } from "../../../contract/users.ts"
import { ApiError } from "../../lib/errors.ts"
import { aboutQuery, linkQuery, setPassword } from "../../api/session.ts"
import { Notice } from "../../ui/notice.tsx"
import { PlainButton } from "../../ui/plain-button.tsx"
import { PlainField, RefusalNotice, SessionPage, usePlainForm } from "./session-page.tsx"
import classes from "./session.module.css"

let taken: string | null = null

/**
 * The one-time token from the address's fragment (`#token=…`), which a browser never sends, and takes it out of the
 * address, so that it stays in no history and no screenshot. Null when there is none.
 */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token")
  if (token !== null && token !== "") {
    taken = token
    window.history.replaceState(window.history.state, "", window.location.pathname)
  }
  return taken
}

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
      ) : link.error instanceof ApiError && link.error.status < 500 ? (
        <BadLink title="This link no longer works" />
      ) : link.error !== null ? (
        <RefusalNotice error={link.error} />
      ) : link.data === undefined ? (
        <output className="text-muted">Checking the link…</output>
      ) : (
        <SetPasswordForm
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
      A link works once and for one hour. Open the full link again, or ask an administrator for a new one.
    </Notice>
  )
}

interface SetPasswordFormProps {
  token: string
  /** Its e-mail is null for the set-up link: the form has a field for it. */
  link: LinkPurpose
  onDone: () => void
}

/** The password, and for the first administrator the name and e-mail too. Signs in when it is set. */
function SetPasswordForm({ token, link: { purpose, email }, onDone }: SetPasswordFormProps) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ name: "", email: email ?? "", password: "" })
  const { problems, error, busy, submit } = usePlainForm(setPasswordBody, async (body) => {
    await setPassword(queryClient, body)
    onDone()
  })
  const setUp = purpose === "set-up"
  const field = (name: keyof typeof values) => ({
    value: values[name],
    error: problems[name],
    readOnly: busy,
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        const person = setUp ? { name: values.name, email: values.email.trim() } : {}
        void submit({ token, password: values.password, ...person })
      }}
    >
      {setUp ? (
        <>
          <PlainField label="Your name" autoComplete="name" {...field("name")} />
          <PlainField label="E-mail" type="email" autoComplete="username" {...field("email")} />
        </>
      ) : (
        // Password managers file the new password under this name.
        <input type="text" name="username" autoComplete="username" value={email ?? ""} readOnly hidden />
      )}
      <PlainField
        type="password"
        label="New password"
        help={`At least ${limits.passwordMin} characters. A phrase works well.`}
        autoComplete="new-password"
        {...field("password")}
      />
      {error !== null && <RefusalNotice error={error} what="Couldn’t set the password." />}
      <PlainButton type="submit" look="wide" busy={busy}>
        {setUp ? "Create the administrator account" : "Set the password and sign in"}
      </PlainButton>
    </form>
  )
}
