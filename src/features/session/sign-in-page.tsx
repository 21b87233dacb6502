import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useRouter } from "@tanstack/react-router"
import { aboutQuery } from "../../api/session.ts"
import { Notice } from "../../ui/notice.tsx"
import { CredentialsForm } from "./credentials-form.tsx"
import { DemoAccounts } from "./demo-accounts.tsx"
import { PlainButton } from "../../ui/plain-button.tsx"
import { RefusalNotice } from "./refusal-notice.tsx"
import { safePath } from "./safe-path.ts"
import { SessionPage } from "./session-page.tsx"

const route = getRouteApi("/sign-in")

/** Signing in, with the demo accounts one click away where there are some. */
export function SignInPage() {
  const { redirect } = route.useSearch()
  const router = useRouter()
  const { data: about, error, refetch, isFetching } = useQuery(aboutQuery)

  const enter = () => void router.navigate({ href: safePath(redirect), replace: true })
  const side =
    about !== undefined && about.demo_accounts.length > 0 ? (
      <DemoAccounts about={about} onDone={enter} />
    ) : undefined

  return (
    <SessionPage about={about} title="Sign in to Laurel" lead="Run your incentive program" side={side}>
      {error !== null && about === undefined && (
        <RefusalNotice
          error={error}
          action={
            <PlainButton busy={isFetching} onClick={() => void refetch()}>
              Try again
            </PlainButton>
          }
        />
      )}
      {about?.set_up_needed === true ? (
        <Notice tone="info" title="No one can sign in yet">
          Open the set-up link that the desk printed when it started. It makes the first administrator, once,
          within an hour. Restart Laurel for a new link.
        </Notice>
      ) : (
        <>
          <CredentialsForm onDone={enter} />
          <p className="text-muted l-meta">Forgot your password? Ask an administrator.</p>
        </>
      )}
    </SessionPage>
  )
}
