import { Modal } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import type { SessionUser } from "../../../contract/users.ts"
import { forgetSession } from "../../api/session.ts"
import { useFocusBack } from "../../ui/hooks.ts"
import { CredentialsForm } from "./credentials-form.tsx"
import classes from "./sign-in-again.module.css"

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
      <div className={classes.body}>
        <p className="text-secondary">
          Your session ended. What you typed is kept, and pending requests continue after you sign in.
        </p>
        <p className={classes.who}>
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
