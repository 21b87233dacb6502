import { Button } from "@mantine/core"
import { focusWhenDrawn } from "../../ui/hooks.ts"
import classes from "./outcome-foot.module.css"
import type { RowFace } from "./row-face.ts"

interface OutcomeFootProps {
  face: RowFace
  /** What may be done once more after success: words and deed. */
  another?: { readonly label: string; readonly onClick: () => void }
  onCorrect: () => void
  onClose: () => void
}

/** Where one goes from the outcome of one row. Only what definitely did not happen is offered again. */
export function OutcomeFoot({ face, another, onCorrect, onClose }: OutcomeFootProps) {
  if (face === "confirmed") {
    return (
      <div className={classes.buttons}>
        {another !== undefined && (
          <Button size="md" onClick={another.onClick}>
            {another.label}
          </Button>
        )}
        <Button ref={focusWhenDrawn} size="md" variant="filled" onClick={onClose}>
          Done
        </Button>
      </div>
    )
  }
  const again = face === "failed" || face === "cancelled"
  return (
    <div className={classes.buttons}>
      <Button size="md" onClick={onClose}>
        Close
      </Button>
      {again && (
        <Button size="md" variant="filled" onClick={onCorrect}>
          Correct and resend
        </Button>
      )}
    </div>
  )
}
