import { IconArrowRight, IconBarcode, IconCoin, IconEye, IconShieldCheck } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { roleNames } from "../../../contract/roles.ts"
import type { About } from "../../../contract/session.ts"
import { signInBody } from "../../../contract/users.ts"
import { aboutQuery, signIn } from "../../api/session.ts"
import { browserDrafts, dropExpiredDrafts } from "../../lib/import-drafts.ts"
import { EnvBadge } from "../../ui/brand.tsx"
import { Notice } from "../../ui/notice.tsx"
import { safePath } from "./safe-path.ts"
import {
  CredentialsForm,
  RefusalNotice,
  SessionPage,
  SignInError,
  usePause,
  usePlainForm,
  whenAgain,
} from "./session-page.tsx"
import classes from "./session.module.css"
import { Group, Loader, Stack } from "@mantine/core"
import { Button } from "../../ui/button.tsx"

const route = getRouteApi("/sign-in")

/** Sign-in, with one-click demo accounts where available. */
export function SignInPage() {
  const { redirect } = route.useSearch()
  const router = useRouter()
  const { data: about, error, refetch, isFetching } = useQuery(aboutQuery)
  useEffect(() => {
    // Without storage there is nothing to drop.
    dropExpiredDrafts(browserDrafts(), Date.now()).catch(() => undefined)
  }, [])
  const enter = () => void router.navigate({ href: safePath(redirect), replace: true })
  const side = about?.demo_accounts.length ? <DemoAccounts about={about} onDone={enter} /> : undefined
  return (
    <SessionPage about={about} title="Sign in to Laurel" lead="Run your incentive program" side={side}>
      {error !== null && about === undefined && (
        <RefusalNotice
          error={error}
          action={
            <Button size="xs" loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {about?.set_up_needed === true ? (
        <Notice tone="info" title="No one can sign in yet">
          Open the set-up link that Laurel printed when it started. It makes the first administrator, once,
          within an hour. Restart Laurel for a new link.
        </Notice>
      ) : (
        <>
          <CredentialsForm onDone={enter} />
          <p className="caption">Forgot your password? Ask an administrator.</p>
        </>
      )}
    </SessionPage>
  )
}

const icons = { admin: IconShieldCheck, manager: IconCoin, fulfilment: IconBarcode, viewer: IconEye }

function DemoAccounts({ about, onDone }: { about: About; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [entering, setEntering] = useState<string>()
  const form = usePlainForm({}, signInBody, async (body) => {
    setEntering(body.email)
    await signIn(queryClient, body)
    onDone()
  })
  const pausedFor = usePause(form)
  const isEntering = entering !== undefined && form.error === null
  return (
    <Stack component="section" aria-labelledby="demo-accounts">
      <Group gap="sm">
        <EnvBadge environment={about.environment} />
        <h2 id="demo-accounts" className="small-heading">
          Try a demo account
        </h2>
      </Group>
      <p className="text-secondary">
        Members, points and cards here are made up. Nothing is sent to a real program. Choose a role to try.
      </p>
      <ul className="card divided" style={{ overflow: "hidden" }}>
        {about.demo_accounts.map(({ email, password, role, does }) => {
          const Icon = icons[role]
          return (
            <li key={email}>
              <button
                type="button"
                className={`hover-fill text-secondary ${classes.account}`}
                disabled={isEntering || pausedFor > 0}
                onClick={() => void form.submit({ email, password })}
              >
                <Icon size={20} stroke={1.75} aria-hidden />
                <span className="grow" style={{ display: "grid", color: "var(--l-text)" }}>
                  <span className="l-medium">{roleNames[role]}</span>
                  <span className="caption">{does}</span>
                </span>
                <span className={`caption ${classes.email}`}>{email}</span>
                {isEntering && entering === email ? (
                  <Loader />
                ) : (
                  <IconArrowRight size={16} stroke={1.75} aria-hidden />
                )}
              </button>
            </li>
          )
        })}
      </ul>
      <SignInError error={form.error} pausedFor={pausedFor} />
      {pausedFor > 0 && <p className="l-medium">{whenAgain(pausedFor)}</p>}
    </Stack>
  )
}
