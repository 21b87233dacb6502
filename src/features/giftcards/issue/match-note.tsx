import { UnstyledButton } from "@mantine/core"
import type { ReactNode } from "react"
import { emailText } from "../../../../contract/program/common.ts"
import { explain } from "../../../api/errors.ts"
import type { MemberSuggestions } from "../../../forms/member-picker.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { matchOf, matchWords } from "./match-words.ts"

interface MatchNoteProps {
  email: string
  accountKey: string
  found: MemberSuggestions
  /** Opens the field for it; undefined while it is open. */
  onAddKey: (() => void) | undefined
}

/**
 * Before anything is sent: which member the service will match, or that it makes a new one (docs/api/giftcard.md,
 * member creation rule).
 */
export function MatchNote({ email, accountKey, found, onAddKey }: MatchNoteProps) {
  if (!emailText.safeParse(email).success) return null
  const action: { action?: ReactNode } =
    onAddKey === undefined
      ? {}
      : {
          action: (
            <UnstyledButton className="l-link l-meta" onClick={onAddKey}>
              Add an account key
            </UnstyledButton>
          ),
        }
  if (found.error !== null) {
    return (
      <Notice tone="warning" title="Couldn’t check who has this e-mail" {...action}>
        {explain(found.error).title}. The service matches by itself: a member with this e-mail gets the card,
        and without one a Pending member is created.
      </Notice>
    )
  }
  const match = matchOf(email, found)
  if (match === "looking") return <Notice tone="info" title="Looking for a member with this e-mail…" />
  const { title, body } = matchWords(match, accountKey)
  return (
    <Notice tone="info" title={title} {...action}>
      {body}
    </Notice>
  )
}
