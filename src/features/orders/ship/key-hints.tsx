import { Kbd } from "../../../ui/kbd.tsx"
import classes from "./ship.module.css"

const hints = [
  { key: "Esc", does: "drop this order" },
  { key: "F2", does: "type by hand" },
  { key: "U", does: "undo the last" },
  { key: "S", does: "next in the queue" },
] as const

/** The keys of the ship desk. */
export function KeyHints() {
  return (
    <p className={classes.keys}>
      {hints.map(({ key, does }) => (
        <span key={key}>
          <Kbd>{key}</Kbd> {does}
        </span>
      ))}
    </p>
  )
}
