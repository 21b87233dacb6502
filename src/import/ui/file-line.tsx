import { IconChevronDown, IconFileSpreadsheet } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { Popover } from "../../ui/popover.tsx"
import type { ImportSession } from "../session/import-session.ts"
import classes from "./file-line.module.css"

const DetectedPanel = lazy(async () => ({ default: (await import("./detected-panel.tsx")).DetectedPanel }))

/** The file that is open: its name, its rows, and how it was read, which can be changed. */
export function FileLine({ session }: { session: ImportSession }) {
  const { name, description, detected, phase } = session.state
  if (phase !== "ready") return null
  return (
    <span className={classes.line}>
      <IconFileSpreadsheet size={16} stroke={1.75} aria-hidden className={classes.icon} />
      <span className={classes.name}>{name}</span>
      {detected === null ? (
        description
      ) : (
        <Popover
          label="How the file was read"
          width={280}
          renderButton={(props) => (
            <button type="button" className={classes.button} {...props}>
              {description}
              <IconChevronDown size={14} stroke={1.75} aria-hidden />
            </button>
          )}
        >
          {() => (
            <Suspense>
              <DetectedPanel session={session} detected={detected} />
            </Suspense>
          )}
        </Popover>
      )}
    </span>
  )
}
