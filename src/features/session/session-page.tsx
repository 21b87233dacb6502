import type { ReactNode } from "react"
import type { About } from "../../../contract/users.ts"
import { colourScheme, setColourScheme } from "../../lib/colour-scheme.ts"
import { EnvBadge, EnvBand, Logo } from "../../ui/brand.tsx"
import { useExternalValue, usePageTitle } from "../../ui/hooks.ts"
import classes from "./session-page.module.css"

interface SessionPageProps {
  /** Undefined while the server has not answered. */
  about: About | undefined
  title: string
  lead: ReactNode
  children: ReactNode
  /** A second column: the demo accounts, with their own badge. */
  side?: ReactNode
}

/** The frame of the pages before the desk: signing in, setting a password. */
export function SessionPage({ about, title, lead, children, side }: SessionPageProps) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      {about && <EnvBand environment={about.environment} />}
      <main className={classes.middle} data-columns={side === undefined ? 1 : 2}>
        <div className={classes.first}>
          <span className={classes.mark}>
            <Logo size={56} />
          </span>
          <h1 tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <p className={classes.lead}>
            {lead}
            {about && side === undefined && <EnvBadge environment={about.environment} />}
          </p>
          <div className={classes.body}>{children}</div>
        </div>
        {side !== undefined && <div className={classes.side}>{side}</div>}
      </main>
      <footer className={classes.foot}>
        <span>Laurel{about ? ` ${about.version}` : ""}</span>
        <Scheme />
      </footer>
    </div>
  )
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "Match system" },
] as const

function Scheme() {
  const chosen = useExternalValue(colourScheme)
  return (
    <fieldset className={classes.schemes} aria-label="Colours">
      {schemes.map(({ value, label }) => (
        <button
          type="button"
          key={value}
          className={classes.scheme}
          aria-pressed={chosen === value}
          onClick={() => setColourScheme(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
