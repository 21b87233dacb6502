import { IconFlask, IconTestPipe } from "@tabler/icons-react"
import type { Environment } from "../../contract/session.ts"
import classes from "./brand.module.css"

const leaf = "M0 3.4C-2.9 1.4-2.7-1.6 0-4C2.7-1.6 2.9 1.4 0 3.4Z"

const leaves = [
  [15, 20.02, 94, 0.8],
  [9, 20.02, -94, 0.8],
  [19.06, 16.36, 54, 1],
  [4.94, 16.36, -54, 1],
  [19.76, 10.66, 12, 1],
  [4.24, 10.66, -12, 1],
  [16.7, 6.13, -28, 0.85],
  [7.3, 6.13, 28, 0.85],
] as const

/** Laurel's mark: a wreath of eight leaves. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="var(--l-accent-mark)" aria-hidden>
      {leaves.map(([x, y, turn, scale]) => (
        <path key={turn} d={leaf} transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`} />
      ))}
    </svg>
  )
}

const variants = {
  sandbox: { word: "Sandbox", icon: IconFlask },
  staging: { word: "Staging", icon: IconTestPipe },
  production: { word: "Production", icon: null },
} as const

/** The environment, highlighted unless it is production. */
export function EnvBadge({ environment }: { environment: Environment }) {
  const { word, icon: Icon } = variants[environment]
  return (
    <span className={classes.badge} data-environment={environment}>
      {Icon !== null && <Icon size={14} stroke={2} aria-hidden />}
      {word}
    </span>
  )
}

/** A band above the window outside production, so that demo or staging is not mistaken for the real program. */
export function EnvBand({ environment }: { environment: Environment }) {
  if (environment === "production") return null
  return <div className={classes.band} data-environment={environment} aria-hidden />
}
