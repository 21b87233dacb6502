import { Modal } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { limits } from "../../../contract/limits.ts"
import { changePasswordBody, type SessionUser } from "../../../contract/users.ts"
import { changePassword, forgetSession } from "../../api/session.ts"
import { useFocusBack } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { PlainButton } from "../../ui/plain-button.tsx"
import { CredentialsForm, PlainField, RefusalNotice, usePlainForm } from "./session-page.tsx"
import classes from "./session.module.css"

/**
 * The session ended while somebody was at work: they sign in again here, over the page, and everything typed is
 * still there. What was being sent is sent afterwards.
 */
export function SignInAgain({ user }: { user: SessionUser }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  useFocusBack()
  const leave = async () => {
    forgetSession(queryClient)
    await router.navigate({ to: "/sign-in", search: {} })
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Sign in again"
      zIndex={450}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <div className={classes.form}>
        <p className="text-secondary">
          Your session ended. What you typed is kept, and pending requests continue after you sign in.
        </p>
        <p className={classes.user}>
          <span className="l-medium">{user.name}</span>
          <span className="text-muted l-meta">{user.email}</span>
        </p>
        <CredentialsForm email={user.email} onDone={() => {}} />
        <button type="button" className={classes.leave} onClick={() => void leave()}>
          Leave this page and sign in as someone else
        </button>
      </div>
    </Modal>
  )
}

interface ChangePasswordProps {
  email: string
  onClose: () => void
}

const empty = { current_password: "", new_password: "" }

/** Changes the password of whoever is signed in. Nothing that was typed outlives the dialog. */
export function ChangePassword({ email, onClose }: ChangePasswordProps) {
  const [values, setValues] = useState(empty)
  const [done, setDone] = useState(false)
  const { problems, error, busy, submit } = usePlainForm(changePasswordBody, async (body) => {
    await changePassword(body)
    setValues(empty)
    setDone(true)
  })
  useFocusBack()
  const field = (name: keyof typeof empty) => ({
    value: values[name],
    error: problems[name],
    readOnly: busy,
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title="Change password"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {done ? (
        <Notice tone="success" title="Password changed">
          You’re signed out everywhere else.
        </Notice>
      ) : (
        <form
          noValidate
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            void submit(values)
          }}
        >
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PlainField
            data-autofocus
            type="password"
            label="Current password"
            autoComplete="current-password"
            {...field("current_password")}
          />
          <PlainField
            type="password"
            label="New password"
            help={`At least ${limits.passwordMin} characters. A sentence is good.`}
            autoComplete="new-password"
            {...field("new_password")}
          />
          {error !== null && <RefusalNotice error={error} what="The password wasn’t changed." />}
          <PlainButton type="submit" look="wide" busy={busy}>
            Change password
          </PlainButton>
        </form>
      )}
    </Modal>
  )
}
