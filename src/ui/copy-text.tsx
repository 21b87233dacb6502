import { UnstyledButton } from "@mantine/core"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import classes from "./copy-text.module.css"
import { Tip } from "./tip.tsx"
import { useCopy } from "./use-copy.ts"

interface CopyTextProps {
  text: string
  /** For ids, references and codes. */
  mono?: boolean
  /** On one line, with an ellipsis where it does not fit; the tooltip then has all of it. */
  cut?: boolean
}

/** A fact that a click copies. */
export function CopyText({ text, mono = false, cut = false }: CopyTextProps) {
  const { said, copy } = useCopy(text)
  return (
    <Tip label={said ?? (cut ? `Copy ${text}` : "Copy")}>
      <UnstyledButton
        className={classes.copy}
        data-mono={mono || undefined}
        data-cut={cut || undefined}
        onClick={copy}
      >
        {text}
        {said === "Copied" ? (
          <IconCheck size={14} stroke={2} aria-hidden className={classes.done} />
        ) : (
          <IconCopy size={14} stroke={2} aria-label="Copy" className={classes.icon} />
        )}
        <output className="l-spoken">{said ?? ""}</output>
      </UnstyledButton>
    </Tip>
  )
}
