import "@mantine/core/styles/Modal.layer.css"
import { Modal, Stack } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { limits } from "../../../contract/limits.ts"
import type { SessionUser } from "../../../contract/session.ts"
import { changePasswordBody } from "../../../contract/users.ts"
import { aboutQuery, changePassword, forgetSession } from "../../api/session.ts"
import { Dialog } from "../../ui/confirm-dialog.tsx"
import { useFocusBack, useSubmitKey } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import {
  AccountName,
  CredentialsForm,
  PlainField,
  PlainForm,
  RefusalNotice,
  usePlainForm,
} from "./session-page.tsx"

/** Signs in again over the page: typed values stay, and pending requests are sent afterwards. */
export function SignInAgain({ user }: { user: SessionUser }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const demo = useQuery(aboutQuery).data?.demo_accounts.find(({ email }) => email === user.email)
  useFocusBack()
  useSubmitKey()
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
      // Escape here must not reach the drawer or dialog below.
      onFocus={({ target }) => target.setAttribute("data-mantine-stop-propagation", "true")}
    >
      <Stack gap="md">
        <p className="text-secondary">
          Your session ended. What you typed is kept, and it continues after you sign in.
        </p>
        <Stack gap={0} px="md" py={10} className="card">
          <span className="l-medium">{user.name}</span>
          <span className="caption">{user.email}</span>
        </Stack>
        {demo && <p className="caption">The password of this demo account is “{demo.password}”.</p>}
        <CredentialsForm email={user.email} onDone={() => {}} />
        <button type="button" className="l-link l-meta" onClick={() => void leave()}>
          Leave this page and sign in as someone else
        </button>
      </Stack>
    </Modal>
  )
}

/** Changes the signed-in user's password. The typed passwords are dropped with the dialog. */
export function ChangePassword({ email, onClose }: { email: string; onClose: () => void }) {
  const [done, setDone] = useState(false)
  const form = usePlainForm(noPasswords, changePasswordBody, async (body) => {
    await changePassword(body)
    setDone(true)
  })
  return (
    <Dialog title="Change password" onClose={onClose}>
      {done ? (
        <Notice tone="success" title="Password changed">
          You’re signed out everywhere else.
        </Notice>
      ) : (
        <PlainForm form={form} body={() => form.values} action="Change password">
          <AccountName email={email} />
          <PlainField
            data-autofocus
            type="password"
            label="Current password"
            autoComplete="current-password"
            {...form.field("current_password")}
          />
          <PlainField
            type="password"
            label="New password"
            help={`At least ${limits.passwordMin} characters. A sentence is good.`}
            autoComplete="new-password"
            {...form.field("new_password")}
          />
          <RefusalNotice error={form.error} what="The password wasn’t changed." />
        </PlainForm>
      )}
    </Dialog>
  )
}

const noPasswords = { current_password: "", new_password: "" }
