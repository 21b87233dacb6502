import { useQueryClient } from "@tanstack/react-query"
import { useState, type FormEvent } from "react"
import { type LinkPurpose, setPasswordBody } from "../../../contract/users.ts"
import { limits } from "../../../contract/limits.ts"
import { ApiError } from "../../api/errors.ts"
import { setPassword } from "../../api/session.ts"
import { fieldProblems } from "./field-problems.ts"
import { PlainButton } from "../../ui/plain-button.tsx"
import { PlainField } from "./plain-field.tsx"
import { RefusalNotice } from "./refusal-notice.tsx"
import classes from "./session-form.module.css"

interface SetPasswordFormProps {
  token: string
  purpose: LinkPurpose["purpose"]
  /** Whose password it is; null for the set-up link, which asks. */
  email: string | null
  onDone: () => void
}

/** The password, and for the first administrator the name and e-mail too. Signs in when it is set. */
export function SetPasswordForm({ token, purpose, email, onDone }: SetPasswordFormProps) {
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ name: "", email: email ?? "", password: "" })
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const setUp = purpose === "set-up"
  const change = (field: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }))
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const who = setUp ? { name: values.name, email: values.email.trim() } : {}
    const body = setPasswordBody.safeParse({ token, password: values.password, ...who })
    setProblems(body.success ? {} : fieldProblems(body.error.issues))
    if (!body.success) return
    setBusy(true)
    setError(null)
    try {
      await setPassword(queryClient, body.data)
      onDone()
    } catch (refused) {
      const fields = refused instanceof ApiError ? (refused.details?.fields ?? []) : []
      setProblems(Object.fromEntries(fields.map(({ field, message }) => [field, message])))
      setError(fields.length > 0 ? null : refused)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      {setUp ? (
        <>
          <PlainField
            label="Your name"
            autoComplete="name"
            value={values.name}
            error={problems.name}
            readOnly={busy}
            onChange={change("name")}
          />
          <PlainField
            label="E-mail"
            type="email"
            autoComplete="username"
            value={values.email}
            error={problems.email}
            readOnly={busy}
            onChange={change("email")}
          />
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
        value={values.password}
        error={problems.password}
        readOnly={busy}
        onChange={change("password")}
      />
      {error !== null && <RefusalNotice error={error} what="Couldn’t set the password." />}
      <PlainButton type="submit" look="wide" busy={busy}>
        {setUp ? "Create the administrator account" : "Set the password and sign in"}
      </PlainButton>
    </form>
  )
}
