import { UnstyledButton } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import classes from "./copy-id.module.css"
import { Tip } from "./tip.tsx"

/** An id or a reference: monospaced, whole, copied with a click. */
export function CopyId({ id }: { id: string }) {
  const [said, setSaid] = useState<"Copied" | "Not copied: select it instead" | null>(null)

  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), 1500)
    return () => clearTimeout(timer)
  }, [said])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id)
      setSaid("Copied")
    } catch {
      // Browsers refuse outside a secure page; the text can still be selected.
      setSaid("Not copied: select it instead")
    }
  }

  return (
    <Tip label={said ?? "Copy"}>
      <UnstyledButton className={classes.id} onClick={() => void copy()} aria-label={`Copy ${id}`}>
        {id}
        {said === "Copied" && <IconCheck size={12} stroke={2.5} aria-hidden className={classes.done} />}
        <output className={classes.spoken}>{said ?? ""}</output>
      </UnstyledButton>
    </Tip>
  )
}
