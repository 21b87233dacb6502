import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { Member } from "../../contract/program/member.ts"
import { explain } from "../lib/errors.ts"
import { cachedMembers, memberSearchQuery } from "../api/members.ts"
import { cost } from "../lib/format.ts"
import { formatPoints } from "../lib/format.ts"
import { fullName } from "../lib/names.ts"
import { Avatar } from "../ui/values.tsx"
import { TypeAhead } from "./type-ahead.tsx"
import classes from "./picker.module.css"

/** The shortest text that is searched. */
const shortest = 2

/** Members for what is typed. */
export interface MemberSuggestions {
  readonly members: readonly Member[]
  readonly searching: boolean
  readonly error: Error | null
  /** The service responded for this very text. */
  readonly answered: boolean
}

/**
 * Members whose name or e-mail holds a text: those this browser knows at once, then the response of one request, sent
 * when the typing rests for 200 ms.
 */
export function useMemberSuggestions(text: string): MemberSuggestions {
  const queryClient = useQueryClient()
  const [rested] = useDebouncedValue(text, 200)
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...memberSearchQuery(rested),
    enabled: rested.length >= shortest,
    placeholderData: keepPreviousData,
  })
  const long = text.length >= shortest
  const answered = long && rested === text && data !== undefined && !isPlaceholderData
  return {
    members: !long ? [] : answered ? data.data : cachedMembers(queryClient, text),
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? error : null,
    answered,
  }
}

/** Chooses a member by typing part of a name or an e-mail: arrows move, Enter chooses. */
export function MemberPicker({ label, onPick }: { label: string; onPick: (member: Member) => void }) {
  const [typed, setTyped] = useState("")
  const text = typed.trim().replace(/\s+/g, " ")
  const found = useMemberSuggestions(text)
  return (
    <TypeAhead
      label={label}
      listLabel="Members found"
      text={typed}
      onText={setTyped}
      options={found.members}
      open
      idOf={({ id }) => id}
      draw={drawMember}
      onPick={onPick}
      message={messageFor(text, found)}
      field={{ placeholder: "Name or e-mail", "data-autofocus": true }}
    />
  )
}

function drawMember(member: Member) {
  return (
    <>
      <Avatar name={fullName(member)} />
      <span className={classes.lines}>
        <span className="l-medium truncate">{fullName(member)}</span>
        <span className="l-meta text-muted truncate">{member.email ?? member.company ?? member.id}</span>
      </span>
      {typeof member.points_balance === "number" && (
        <span className="l-num text-secondary">{formatPoints(member.points_balance)}</span>
      )}
    </>
  )
}

/** What the list cannot say itself: what a search costs, that it goes on, that nobody was found. */
function messageFor(text: string, found: MemberSuggestions): string {
  if (text.length < shortest) return `Type at least two letters. A search uses ${cost(1)}.`
  if (found.error !== null) return `Search failed: ${explain(found.error).title}.`
  if (found.searching) return "Searching…"
  if (found.members.length === 0 && found.answered) return `No members match “${text}”.`
  return ""
}
