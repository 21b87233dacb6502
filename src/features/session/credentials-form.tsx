import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState, type FormEvent } from "react"
import { signInBody } from "../../../contract/users.ts"
import { signIn } from "../../api/session.ts"
import { fieldProblems } from "./field-problems.ts"
import { PlainButton } from "../../ui/plain-button.tsx"
import { PlainField } from "./plain-field.tsx"
import { SignInError, useRefusal } from "./sign-in-error.tsx"
import classes from "./session-form.module.css"

interface CredentialsFormProps {
  /** Whose password is asked for; without it the e-mail is asked too. */
  email?: string
  /** Called after signing in. */
  onDone: () => void
}

/** E-mail and password. Keeps what was typed when it is refused, and counts down when attempts are paused. */
export function CredentialsForm({ email: known, onDone }: CredentialsFormProps) {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState(known ?? "")
  const [password, setPassword] = useState("")
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const refusal = useRefusal()
  const first = useRef<HTMLInputElement>(null)

  // The page is for nothing else, and the dialog has taken the focus from a field of the page.
  useEffect(() => first.current?.focus(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || refusal.pausedFor > 0) return
    const body = signInBody.safeParse({ email: email.trim(), password })
    setProblems(body.success ? {} : fieldProblems(body.error.issues))
    if (!body.success) return
    setBusy(true)
    refusal.clear()
    try {
      await signIn(queryClient, body.data)
      onDone()
    } catch (error) {
      refusal.take(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      {known === undefined && (
        <PlainField
          ref={first}
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          error={problems.email}
          readOnly={busy}
          onChange={setEmail}
        />
      )}
      <PlainField
        type="password"
        ref={known === undefined ? null : first}
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        error={problems.password}
        readOnly={busy}
        onChange={setPassword}
      />
      <SignInError refusal={refusal} />
      <PlainButton type="submit" look="wide" busy={busy} disabled={refusal.pausedFor > 0}>
        {refusal.pausedFor > 0 ? `Sign in again in ${refusal.pausedFor} s` : "Sign in"}
      </PlainButton>
    </form>
  )
}
