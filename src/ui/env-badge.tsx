import { IconFlask, IconTestPipe } from "@tabler/icons-react"
import type { Environment } from "../../contract/users.ts"
import classes from "./env-badge.module.css"

const looks = {
  sandbox: { word: "Sandbox", icon: IconFlask },
  staging: { word: "Staging", icon: IconTestPipe },
  production: { word: "Production", icon: null },
} as const

/** Where the desk's work goes: loud unless it is production. */
export function EnvBadge({ environment }: { environment: Environment }) {
  const { word, icon: Icon } = looks[environment]
  return (
    <span className={classes.badge} data-environment={environment}>
      {Icon !== null && <Icon size={14} stroke={2} aria-hidden />}
      {word}
    </span>
  )
}

/** A band over the whole window, so that nobody takes made-up or staging work for the real program. */
export function EnvBand({ environment }: { environment: Environment }) {
  if (environment === "production") return null
  return <div className={classes.band} data-environment={environment} aria-hidden />
}
