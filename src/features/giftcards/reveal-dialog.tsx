import { Button, Modal, TextInput } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useRef, useState } from "react"
import type { RegisteredCard, RevealedCard } from "../../../contract/cards.ts"
import { limits } from "../../../contract/limits.ts"
import { ApiError } from "../../lib/errors.ts"
import { cardQuery, revealCard } from "../../api/gift-cards.ts"
import { useCan } from "../../api/session.ts"
import { daysLeft, recipientOf } from "./card-parts.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useFocusBack, useNow } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { useCopy } from "../../ui/values.tsx"
import classes from "./gift-cards.module.css"

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
      <div className={classes.revealBody}>
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

interface RevealFormProps {
  cardId: string
  who: string
  onClose: () => void
  onBusy: (busy: boolean) => void
  onAnswer: (answer: RevealedCard) => void
}

/** Asks why, says what else may happen, and asks the service. */
function RevealForm({ cardId, who, onClose, onBusy, onAnswer }: RevealFormProps) {
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
      className={classes.revealBody}
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

/** The link, or the alarm that the service issued a new card instead of repeating. */
function RevealedLink({ answer }: { answer: RevealedCard }) {
  const { alarm, redeem_url: link } = answer
  if (alarm !== null) {
    return (
      <Notice
        tone="danger"
        title="The service issued a new card"
        action={
          <Link to="/cards/$cardId" params={{ cardId: alarm.card_id }} className="l-link">
            Open the new card
          </Link>
        }
      >
        {alarm.message}
      </Notice>
    )
  }
  if (link === null) {
    return (
      <Notice tone="info" title="The service’s response had no link">
        Nothing is shown, and no card was issued.
      </Notice>
    )
  }
  return <LinkItself link={link} />
}

function LinkItself({ link }: { link: string }) {
  const { said, copy } = useCopy(link)
  return (
    <>
      <div className={classes.link}>
        <output className="l-mono">{link}</output>
        <Button data-autofocus leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />} onClick={copy}>
          {said ?? "Copy the link"}
        </Button>
      </div>
      <p className="l-meta text-muted">
        Share it only with the recipient, in a way that doesn’t store it. It works once and disappears from
        here when you close this.
      </p>
    </>
  )
}

/**
 * Why a card's link cannot be asked for; undefined where it can. The server decides again
 * (docs/decisions/0009-gift-cards.md, Revealing).
 */
export function cannotReveal(
  card: Pick<RegisteredCard, "can_reveal" | "job" | "expires_at">,
  mayReveal: boolean,
  now: number,
): { title: string; help: string } | undefined {
  if (!mayReveal) {
    return {
      title: "Your role can’t reveal links",
      help: "Managers and administrators can. The recipient has the link in the service’s e-mail.",
    }
  }
  if (card.job === null) {
    return {
      title: "This card was issued elsewhere",
      help: "Only the system that issued it can get its link again. The recipient has it in the service’s e-mail.",
    }
  }
  if ((daysLeft(card.expires_at, now) ?? 0) < 0) {
    return {
      title: "This card has expired",
      help: "Revealing its link could issue a new card. Issue another card if one is needed.",
    }
  }
  if (!card.can_reveal) {
    return {
      title: "The link of this card can’t be revealed",
      help: "The row that issued it isn’t confirmed, or the card wasn’t issued here.",
    }
  }
  return undefined
}
