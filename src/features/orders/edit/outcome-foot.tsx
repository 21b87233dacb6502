import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { RowFace } from "../../../form/outcome/row-face.ts"
import { focusWhenDrawn } from "../../../ui/focus-when-drawn.ts"
import classes from "./edit.module.css"

interface OutcomeFootProps {
  face: RowFace
  onCorrect: () => void
  onClose: () => void
}

/** Where one goes from an outcome. Only what definitely did not happen is offered again. */
export function OutcomeFoot({ face, onCorrect, onClose }: OutcomeFootProps) {
  if (face === "confirmed") {
    return (
      <Button ref={focusWhenDrawn} size="md" variant="filled" fullWidth onClick={onClose}>
        Done
      </Button>
    )
  }
  return (
    <div className={classes.buttons}>
      <Button size="md" onClick={onClose}>
        Close
      </Button>
      {(face === "failed" || face === "cancelled") && (
        <Button size="md" variant="filled" onClick={onCorrect}>
          Correct and send again
        </Button>
      )}
    </div>
  )
}
