import { useState, type ReactNode } from "react"
import { Tip } from "./tip.tsx"

/** Text on one line, cut with an ellipsis where it does not fit; then the whole text is in a tooltip. */
export function Cut({ children, full }: { children: ReactNode; full?: string }) {
  const [hidden, setHidden] = useState("")
  const whole = full ?? (typeof children === "string" ? children : "")
  return (
    <Tip label={hidden} disabled={hidden === ""}>
      <span
        className="l-cut"
        style={{ display: "block", minWidth: 0 }}
        onPointerEnter={({ currentTarget }) => {
          const cut = currentTarget.scrollWidth > currentTarget.clientWidth
          setHidden(cut ? whole || (currentTarget.textContent ?? "") : "")
        }}
      >
        {children}
      </span>
    </Tip>
  )
}
