import { Button, TextInput } from "@mantine/core"
import { useRef, useState } from "react"
import type { OrderCode } from "../../../contract/orders.ts"
import { limits } from "../../../contract/limits.ts"
import { revealOrderCode } from "../../api/orders.ts"
import { CopyText } from "../../ui/values.tsx"
import { RequirePermission } from "../../ui/require-permission.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import classes from "./code-reveal.module.css"

type Stage =
  | { readonly at: "masked" }
  | { readonly at: "asking"; readonly busy: boolean; readonly error: unknown }
  | { readonly at: "shown"; readonly answer: OrderCode }

/**
 * The code of a digital order, masked. Revealing asks for a reason, which is in the audit log. The code is held by this
 * piece of the page alone, for as long as it stands there.
 */
export function CodeReveal({ orderId }: { orderId: string }) {
  const [stage, setStage] = useState<Stage>({ at: "masked" })
  const hide = () => setStage({ at: "masked" })
  if (stage.at === "shown") {
    const { code, message } = stage.answer
    if (code === null) {
      return (
        <Notice tone="info" title="The order has no code">
          {message}
        </Notice>
      )
    }
    return (
      <div className={classes.box}>
        <span className={classes.label}>Code</span>
        <span className={classes.code}>
          <CopyText text={code} mono />
        </span>
        <Button size="xs" onClick={hide}>
          Hide
        </Button>
      </div>
    )
  }
  return (
    <>
      <div className={classes.box}>
        <span className={classes.label}>Code</span>
        <span className={`${classes.code} text-muted`} aria-label="Hidden">
          ••••••••••••
        </span>
        {stage.at === "masked" && (
          <RequirePermission permission="secrets.reveal">
            <Button size="xs" onClick={() => setStage({ at: "asking", busy: false, error: null })}>
              Reveal
            </Button>
          </RequirePermission>
        )}
      </div>
      {stage.at === "asking" && <ReasonForm orderId={orderId} stage={stage} onStage={setStage} />}
    </>
  )
}

interface ReasonFormProps {
  orderId: string
  stage: Extract<Stage, { at: "asking" }>
  onStage: (stage: Stage) => void
}

function ReasonForm({ orderId, stage, onStage }: ReasonFormProps) {
  const [reason, setReason] = useState("")
  const underway = useRef(false)
  const reveal = async () => {
    if (underway.current || reason.trim() === "") return
    underway.current = true
    onStage({ at: "asking", busy: true, error: null })
    try {
      onStage({ at: "shown", answer: await revealOrderCode(orderId, reason.trim()) })
    } catch (error) {
      onStage({ at: "asking", busy: false, error })
    } finally {
      underway.current = false
    }
  }
  return (
    <form
      className={classes.ask}
      onSubmit={(event) => {
        event.preventDefault()
        void reveal()
      }}
    >
      <TextInput
        size="md"
        label="Reason for revealing"
        description="Saved in the audit log with your name."
        autoComplete="off"
        data-autofocus
        maxLength={limits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {stage.error !== null && <ErrorNotice error={stage.error} what="Couldn’t reveal the code." />}
      <div className={classes.buttons}>
        <Button onClick={() => onStage({ at: "masked" })} disabled={stage.busy}>
          Cancel
        </Button>
        <Button type="submit" loading={stage.busy} disabled={reason.trim() === ""}>
          Reveal the code
        </Button>
      </div>
    </form>
  )
}
