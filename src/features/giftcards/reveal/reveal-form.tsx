import { Button, TextInput } from "@mantine/core"
import { useRef, useState } from "react"
import type { RevealedCard } from "../../../../contract/cards.ts"
import { limits } from "../../../../contract/limits.ts"
import { revealCard } from "../../../api/gift-cards.ts"
import { ApiError } from "../../../api/errors.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./reveal.module.css"

interface RevealFormProps {
  cardId: string
  who: string
  onClose: () => void
  onBusy: (busy: boolean) => void
  onAnswer: (answer: RevealedCard) => void
}

/** Asks why, says what else may happen, and asks the service. */
export function RevealForm({ cardId, who, onClose, onBusy, onAnswer }: RevealFormProps) {
  const [reason, setReason] = useState("")
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const underway = useRef(false)
  const reveal = async () => {
    if (underway.current || reason.trim() === "") return
    underway.current = true
    setBusy(true)
    onBusy(true)
    setError(null)
    try {
      onAnswer(await revealCard(cardId, reason.trim()))
    } catch (caught) {
      setError(caught)
    } finally {
      underway.current = false
      setBusy(false)
      onBusy(false)
    }
  }
  return (
    <form
      className={classes.body}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void reveal()
      }}
    >
      <p>Anyone with the link can use the card. It’s shown only here and disappears when you close this.</p>
      <Notice tone="warning" title={`The service may e-mail ${who} again`}>
        Laurel doesn’t store links. It repeats the request that issued the card, and the service returns the
        same response. No second card is issued while the service still has the request.
      </Notice>
      <TextInput
        size="md"
        label="Reason for revealing"
        description="Saved in the audit log with your name."
        autoComplete="off"
        data-autofocus
        disabled={busy}
        maxLength={limits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {error !== null && <Refusal error={error} />}
      <div className={classes.actions}>
        <Button onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={busy} disabled={reason.trim() === ""}>
          Reveal the link
        </Button>
      </div>
    </form>
  )
}

/** The desk's own refusal says what happened to this card; "somebody was faster" would not. */
function Refusal({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === "conflict" && error.details?.api === undefined) {
    return (
      <Notice tone="danger" title="The link can’t be shown" detail={`409 ${error.code}`}>
        {error.message}
      </Notice>
    )
  }
  return <ErrorNotice error={error} what="No link was shown." />
}
