import { Button, Group, Modal, Stack, TextInput } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useRef, useState } from "react"
import type { RegisteredCard, RevealedCard } from "../../../contract/cards.ts"
import { limits } from "../../../contract/limits.ts"
import { cardQuery, revealCard } from "../../api/gift-cards.ts"
import { useCan } from "../../api/session.ts"
import { ApiError } from "../../lib/errors.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useFocusBack, useNow } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { useCopy } from "../../ui/values.tsx"
import { daysLeft, recipientOf } from "./card-parts.tsx"
import classes from "./gift-cards.module.css"

/**
 * Shows a card's redeem link to who has the right and gives a reason. The link is held by this dialog alone, never by a
 * cache, and is gone when it closes.
 */
export function RevealDialog({ cardId, onClose }: { cardId: string; onClose: () => void }) {
  useFocusBack()
  const [revealed, setRevealed] = useState<RevealedCard | null>(null)
  const [busy, setBusy] = useState(false)
  const { data, error, isPending, refetch } = useQuery(cardQuery(cardId))
  const may = useCan("secrets.reveal")
  const now = useNow("half-minute")
  const why = data && cannotReveal(data.data, may, now)
  return (
    <Modal
      opened
      onClose={onClose}
      title="Reveal the redeem link"
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={!busy && revealed === null}
      closeOnEscape={!busy}
      closeButtonProps={{ "aria-label": "Close", disabled: busy }}
    >
      {content()}
    </Modal>
  )

  function content(): ReactNode {
    if (revealed !== null) {
      return (
        <Closing label="Done" onClose={onClose}>
          <RevealedLink {...revealed} />
        </Closing>
      )
    }
    if (isPending) return <SkeletonRows rows={2} columns={[120, 200]} />
    if (data === undefined) {
      return <ErrorNotice error={error} what="Couldn’t load the card." onRetry={() => void refetch()} />
    }
    if (why !== undefined) {
      return (
        <Closing label="Close" autofocus onClose={onClose}>
          <Notice tone="info" title={why.title}>
            {why.help}
          </Notice>
        </Closing>
      )
    }
    return (
      <RevealForm card={data.data} busy={busy} onBusy={setBusy} onRevealed={setRevealed} onClose={onClose} />
    )
  }
}

function Closing(props: { label: string; autofocus?: boolean; onClose: () => void; children: ReactNode }) {
  const { label, autofocus, onClose, children } = props
  return (
    <Stack gap={16}>
      {children}
      <Group justify="flex-end">
        <Button variant="filled" data-autofocus={autofocus} onClick={onClose}>
          {label}
        </Button>
      </Group>
    </Stack>
  )
}

function RevealForm(props: {
  card: RegisteredCard
  busy: boolean
  onBusy: (busy: boolean) => void
  onRevealed: (revealed: RevealedCard) => void
  onClose: () => void
}) {
  const { card, busy, onBusy, onRevealed, onClose } = props
  const [typed, setTyped] = useState("")
  const [error, setError] = useState<unknown>(null)
  const inFlight = useRef(false)
  const reason = typed.trim()
  const reveal = async () => {
    if (inFlight.current || reason === "") return
    inFlight.current = true
    onBusy(true)
    setError(null)
    try {
      onRevealed(await revealCard(card.id, reason))
    } catch (caught) {
      setError(caught)
    } finally {
      inFlight.current = false
      onBusy(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void reveal()
      }}
    >
      <Stack gap={16}>
        <p>Anyone with the link can use the card. It’s shown only here and disappears when you close this.</p>
        <Notice tone="warning" title={`The service may e-mail ${recipientOf(card)} again`}>
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
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {error !== null && <Refusal error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={busy} disabled={reason === ""}>
            Reveal the link
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Laurel's own refusal says what happened to this card; "somebody was faster" would not. */
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

function RevealedLink({ alarm, redeem_url: link }: RevealedCard) {
  const { said, copy } = useCopy(link ?? "")
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
  return (
    <>
      <div className={`${classes.link} card wrap-anywhere`}>
        <output className="l-mono">{link}</output>
        <Button data-autofocus leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />} onClick={copy}>
          {said ?? "Copy the link"}
        </Button>
      </div>
      <p className="caption">
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
function cannotReveal(card: RegisteredCard, mayReveal: boolean, now: number) {
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
