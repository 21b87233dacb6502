import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { RowFace } from "../../../form/outcome/row-face.ts"
import { focusWhenDrawn } from "../../../ui/focus-when-drawn.ts"
import classes from "./redeem-fields.module.css"

interface RedeemOutcomeFootProps {
  face: RowFace
  onCorrect: () => void
  onClose: () => void
}

/** Where one goes from an outcome. Only what definitely did not happen is offered again. */
export function RedeemOutcomeFoot({ face, onCorrect, onClose }: RedeemOutcomeFootProps) {
  if (face === "confirmed") {
    return (
      <Button ref={focusWhenDrawn} size="md" variant="filled" fullWidth onClick={onClose}>
        Done
      </Button>
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
