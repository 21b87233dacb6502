import { Modal } from "@mantine/core"
import { useState, type FormEvent } from "react"
import { changePasswordBody } from "../../../contract/users.ts"
import { limits } from "../../../contract/limits.ts"
import { ApiError } from "../../api/errors.ts"
import { changePassword } from "../../api/session.ts"
import { Notice } from "../../ui/notice.tsx"
import { PlainButton } from "../../ui/plain-button.tsx"
import { useFocusBack } from "../../ui/hooks.ts"
import { fieldProblems } from "./field-problems.ts"
import { PlainField } from "./plain-field.tsx"
import { RefusalNotice } from "./refusal-notice.tsx"
import classes from "./session-form.module.css"

interface ChangePasswordProps {
  email: string
  onClose: () => void
}

/** Changes the password of whoever is signed in. Nothing that was typed outlives the dialog. */
export function ChangePassword({ email, onClose }: ChangePasswordProps) {
  const [values, setValues] = useState({ current_password: "", new_password: "" })
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<"open" | "busy" | "done">("open")
  useFocusBack()
  const change = (field: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }))
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (state === "busy") return
    const body = changePasswordBody.safeParse(values)
    setProblems(body.success ? {} : fieldProblems(body.error.issues))
    if (!body.success) return
    setState("busy")
    setError(null)
    try {
      await changePassword(body.data)
      setValues({ current_password: "", new_password: "" })
      setState("done")
    } catch (refused) {
      const fields = refused instanceof ApiError ? (refused.details?.fields ?? []) : []
      setProblems(Object.fromEntries(fields.map(({ field, message }) => [field, message])))
      setError(fields.length > 0 ? null : refused)
      setState("open")
    }
  }

  const busy = state === "busy"
  return (
    <Modal
      opened
      onClose={onClose}
      title="Change password"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {state === "done" ? (
        <Notice tone="success" title="Password changed">
          You’re signed out everywhere else.
        </Notice>
      ) : (
        <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PlainField
            data-autofocus
            type="password"
            label="Current password"
            autoComplete="current-password"
            value={values.current_password}
            error={problems.current_password}
            readOnly={busy}
            onChange={change("current_password")}
          />
          <PlainField
            type="password"
            label="New password"
            help={`At least ${limits.passwordMin} characters. A sentence is good.`}
            autoComplete="new-password"
            value={values.new_password}
            error={problems.new_password}
            readOnly={busy}
            onChange={change("new_password")}
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
