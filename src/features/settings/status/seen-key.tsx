import { IconCircleCheck, IconCircleDotted, IconCircleX } from "@tabler/icons-react"
import type { Connection } from "../../../../contract/status.ts"
import { Marked } from "../marked.tsx"
import classes from "./seen-key.module.css"

const looks = {
  working: { icon: IconCircleCheck, tone: "success", words: "working" },
  refused: { icon: IconCircleX, tone: "danger", words: "refused" },
  unseen: { icon: IconCircleDotted, tone: "grey", words: "not seen yet" },
} as const

/** What a key was seen to be allowed. A key cannot be asked, and nothing is ever probed by a write. */
export function SeenKey({ seen }: { seen: Connection["seen"] }) {
  return (
    <span className={classes.seen}>
      <One what="Read" seen={seen.read} />
      <One what="Write" seen={seen.write} />
    </span>
  )
}

function One({ what, seen }: { what: string; seen: keyof typeof looks }) {
  const { icon, tone, words } = looks[seen]
  return (
    <Marked icon={icon} tone={tone}>
      {what} {words}
    </Marked>
  )
}
