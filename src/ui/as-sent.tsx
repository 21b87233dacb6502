import classes from "./points.module.css"

/** Characters of an unreadable value that are shown in a cell. */
const longestSent = 20

/** What the service sent where a number is due: dimmed, as it came, and never counted with. Nothing for nothing. */
export function AsSent({ sent }: { sent: unknown }) {
  if (sent === undefined) return null
  const text = typeof sent === "string" ? sent : JSON.stringify(sent)
  return (
    <span className={classes.points} data-look="dim" title="The service sent this instead of a number.">
      {text.slice(0, longestSent)}
    </span>
  )
}
