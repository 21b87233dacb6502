import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { RowFace } from "../../../form/outcome/row-face.ts"
import { focusWhenDrawn } from "../../../ui/focus-when-drawn.ts"
import classes from "./issue.module.css"

interface IssueOutcomeFootProps {
  face: RowFace
  onCorrect: () => void
  onAnother: () => void
  onClose: () => void
}

/** Where one goes from an outcome. Only what definitely did not happen is offered again. */
export function IssueOutcomeFoot({ face, onCorrect, onAnother, onClose }: IssueOutcomeFootProps) {
  if (face === "confirmed") {
    return (
      <div className={classes.buttons}>
        <Button size="md" onClick={onAnother}>
          Issue another
        </Button>
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
          Correct and send again
        </Button>
      )}
    </div>
  )
}
