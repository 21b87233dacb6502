import classes from "./sent-json.module.css"

/** Beyond it nobody reads on, and the page would grow slow. In characters. */
const most = 200_000

interface SentJsonProps {
  /** What it is; read aloud. */
  label: string
  sent: unknown
  /** As a part of a panel, with a line around it. */
  inset?: boolean
}

/** An answer as it was sent, for what nobody could read otherwise. */
export function SentJson({ label, sent, inset = false }: SentJsonProps) {
  const text = JSON.stringify(sent, null, 2) ?? "Nothing was sent."
  return (
    <section
      className={classes.frame}
      data-inset={inset || undefined}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
    >
      <pre className={classes.json}>
        {text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} more characters` : text}
      </pre>
    </section>
  )
}
