import { Button, Modal } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { RevealedCard } from "../../../../contract/cards.ts"
import { cardQuery } from "../../../api/gift-cards.ts"
import { useCan } from "../../../api/session.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { useFocusBack, useNow } from "../../../ui/hooks.ts"
import { recipientOf } from "../show/card-words.ts"
import { cannotReveal } from "./cannot-reveal.ts"
import { RevealForm } from "./reveal-form.tsx"
import { RevealedLink } from "./revealed-link.tsx"
import classes from "./reveal.module.css"

/**
 * Shows a card's redeem link to who has the right and gives a reason. The link is held by this dialog alone, never by a
 * cache, and is gone when it closes.
 */
export function RevealDialog({ cardId, onClose }: { cardId: string; onClose: () => void }) {
  useFocusBack()
  const [answer, setAnswer] = useState<RevealedCard | null>(null)
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title="Reveal the redeem link"
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!busy && answer === null}
      closeOnEscape={!busy}
      closeButtonProps={{ "aria-label": "Close", disabled: busy }}
    >
      <div className={classes.body}>
        {answer === null ? (
          <Question cardId={cardId} onClose={onClose} onBusy={setBusy} onAnswer={setAnswer} />
        ) : (
          <>
            <RevealedLink answer={answer} />
            <div className={classes.actions}>
              <Button variant="filled" onClick={onClose}>
                Done
              </Button>
            </div>
          </>
        )}
      </div>
    </Modal>
  )
}

interface QuestionProps {
  cardId: string
  onClose: () => void
  onBusy: (busy: boolean) => void
  onAnswer: (answer: RevealedCard) => void
}

/** The reason, or why the link cannot be asked for. */
function Question({ cardId, onClose, onBusy, onAnswer }: QuestionProps) {
  const { data, error, isPending, refetch } = useQuery(cardQuery(cardId))
  const may = useCan("secrets.reveal")
  const now = useNow("half-minute")
  if (isPending) return <SkeletonRows rows={2} columns={[120, 200]} />
  if (error !== null && data === undefined) {
    return <ErrorNotice error={error} what="Couldn’t load the card." onRetry={() => void refetch()} />
  }
  const card = data.data
  const why = cannotReveal(card, may, now)
  if (why !== undefined) {
    return (
      <>
        <Notice tone="info" title={why.title}>
          {why.help}
        </Notice>
        <div className={classes.actions}>
          <Button variant="filled" data-autofocus onClick={onClose}>
            Close
          </Button>
        </div>
      </>
    )
  }
  return (
    <RevealForm
      cardId={cardId}
      who={recipientOf(card)}
      onClose={onClose}
      onBusy={onBusy}
      onAnswer={onAnswer}
    />
  )
}
