import { cloneElement, type ReactElement } from "react"
import { Tooltip } from "../../../ui/tooltip.tsx"

interface AllowedProps {
  allowed: boolean
  /** Which role it needs: "Needs manager". */
  why: string
  children: ReactElement<{
    "data-disabled"?: boolean
    "aria-disabled"?: boolean
    "aria-describedby"?: string | undefined
    onClick?: unknown
  }>
}

/** A control that everybody sees: who may not use it on this job is told why. The server decides again. */
export function Allowed({ allowed, why, children }: AllowedProps) {
  if (allowed) return children
  return (
    <Tooltip label={why}>
      {cloneElement(children, {
        "data-disabled": true,
        "aria-disabled": true,
        onClick: (event: Event) => event.preventDefault(),
      })}
    </Tooltip>
  )
}
