import { UnstyledButton } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { Tip } from "../../../ui/tip.tsx"
import classes from "./copy-text.module.css"

interface CopyTextProps {
  text: string
  mono?: boolean
  /** On one line, with an ellipsis where it does not fit; the tooltip then has all of it. */
  cut?: boolean
}

/** A fact that a click copies. */
export function CopyText({ text, mono = false, cut = false }: CopyTextProps) {
  const [said, setSaid] = useState<"Copied" | "Not copied: select it instead" | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), 1500)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid("Copied")
    } catch {
      // Browsers refuse outside a secure page; the text can still be selected.
      setSaid("Not copied: select it instead")
    }
  }
  return (
    <Tip label={said ?? (cut ? `Copy ${text}` : "Copy")}>
      <UnstyledButton
        className={classes.copy}
        data-mono={mono || undefined}
        data-cut={cut || undefined}
        onClick={() => void copy()}
      >
        {text}
        <IconCopy size={14} stroke={2} aria-label="Copy" className={classes.icon} />
        <output className={classes.spoken}>{said ?? ""}</output>
      </UnstyledButton>
    </Tip>
  )
}
