import { IconArrowRight, IconBarcode, IconCoin, IconEye, IconShieldCheck } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { About } from "../../../contract/users.ts"
import { roleNames } from "../../../contract/roles.ts"
import { signIn } from "../../api/session.ts"
import { EnvBadge } from "../../ui/brand.tsx"
import { Spinner } from "../../ui/ring.tsx"
import classes from "./demo-accounts.module.css"
import { SignInError, useRefusal } from "./sign-in-error.tsx"

type Account = About["demo_accounts"][number]

const icons = { admin: IconShieldCheck, manager: IconCoin, fulfilment: IconBarcode, viewer: IconEye }

interface DemoAccountsProps {
  about: About
  onDone: () => void
}

/** Accounts of the built-in sandbox, one click each. */
export function DemoAccounts({ about, onDone }: DemoAccountsProps) {
  const queryClient = useQueryClient()
  const [entering, setEntering] = useState<string | null>(null)
  const refusal = useRefusal()

  const enter = async ({ email, password }: Account) => {
    setEntering(email)
    refusal.clear()
    try {
      await signIn(queryClient, { email, password })
      onDone()
    } catch (error) {
      refusal.take(error)
      setEntering(null)
    }
  }

  return (
    <section className={classes.section} aria-labelledby="look-around">
      <div className={classes.head}>
        <EnvBadge environment={about.environment} />
        <h2 id="look-around" className={classes.title}>
          Try a demo account
        </h2>
      </div>
      <p className={classes.words}>
        Members, points and cards here are made up. Nothing is sent to a real program. Choose whose desk to
        see.
      </p>
      <ul className={classes.accounts}>
        {about.demo_accounts.map((account) => {
          const Icon = icons[account.role]
          return (
            <li key={account.email} className={classes.row}>
              <button
                type="button"
                className={classes.account}
                disabled={entering !== null || refusal.pausedFor > 0}
                onClick={() => void enter(account)}
              >
                <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
                <span className={classes.role}>
                  <span className={classes.name}>{roleNames[account.role]}</span>
                  <span className={classes.does}>{account.does}</span>
                </span>
                <span className={classes.email}>{account.email}</span>
                {entering === account.email ? (
                  <Spinner />
                ) : (
                  <IconArrowRight size={16} stroke={1.75} aria-hidden className={classes.arrow} />
                )}
              </button>
            </li>
          )
        })}
      </ul>
      <SignInError refusal={refusal} />
    </section>
  )
}
