import { Button, Loader } from "@mantine/core"
import classes from "./submit-button.module.css"

interface SubmitButtonProps {
  /** The effect: "Create Ana Silva". */
  action: string
  /** The same while it runs: "Creating Ana Silva". */
  running: string
  busy: boolean
  /** As wide as the drawer. */
  wide?: boolean
  disabled?: boolean
}

/** Sends the form. It keeps its width, its colour and the focus while it runs. */
export function SubmitButton({ action, running, busy, wide = false, disabled = false }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      variant="filled"
      size={wide ? "md" : "sm"}
      fullWidth={wide}
      disabled={disabled}
      aria-busy={busy}
      aria-disabled={busy}
      className={classes.button}
    >
      <span className={classes.words}>
        <span className={classes.word} data-hidden={busy || undefined} aria-hidden={busy}>
          {action}
        </span>
        <span className={classes.word} data-hidden={!busy || undefined} aria-hidden={!busy}>
          <Loader size={14} color="currentColor" aria-hidden />
          {running}
        </span>
      </span>
    </Button>
  )
}
