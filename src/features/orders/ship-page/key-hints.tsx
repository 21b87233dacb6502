import classes from "./ship.module.css"

const hints = [
  { key: "Esc", does: "put this order back" },
  { key: "F2", does: "enter manually" },
  { key: "U", does: "undo the last one" },
  { key: "S", does: "next in the queue" },
] as const

/** The keys of the ship desk. */
export function KeyHints() {
  return (
    <p className={classes.keys}>
      {hints.map(({ key, does }) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}
