import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import type { Recipients } from "../../contract/members.ts"
import { cardPairsQuery, cardTemplatesQuery } from "../api/gift-cards.ts"
import { memberSearchQuery, membersInCache, recipientsOf } from "../api/members.ts"
import { useCan, useSession } from "../api/session.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { fullName } from "../lib/names.ts"
import type { ImportSession } from "./import-session.ts"
import type { KnownMember, UsedReference } from "./recipe.ts"

/** Passes today's limits to the sheet, and for gift cards the templates and the references in use (a stable array). */
export function useSheetFacts(
  session: ImportSession,
  facts: {
    readonly cards: boolean
    readonly members?: boolean
    /** Members besides those of the cache: a stable array. */
    readonly known?: readonly KnownMember[] | undefined
    readonly used?: readonly UsedReference[]
  },
): void {
  const { change } = session
  const { cards, used, known: given } = facts
  const cached = useMembersOf(session, facts.members === true)
  const members = useMemo(
    () => (given === undefined ? cached : [...given, ...(cached ?? [])]),
    [given, cached],
  )
  const { currency } = useSession().program
  const limits = useQuery(limitsTodayQuery).data?.limits
  const { data: settings } = useQuery({ ...cardTemplatesQuery, enabled: cards })
  const { data: pairs } = useQuery({ ...cardPairsQuery, enabled: cards })
  useEffect(() => {
    // Unknown settings are not checked here; the server always checks.
    const known = settings !== undefined && pairs !== undefined
    if (limits === undefined && !known && members === undefined) return
    const facts = {
      members,
      amounts: limits && { limits, currency },
      cards: known ? { settings, pairs, currency, used } : undefined,
    }
    void change((sheet) => sheet.setFacts(facts))
  }, [change, limits, currency, settings, pairs, used, members])
}

/** Most names of a file that are looked up, one request each. */
const mostNames = 5

/** Members that rows are checked against: those of the cache, and those that the file's own columns ask for. */
function useMembersOf(session: ImportSession, enabled: boolean): readonly KnownMember[] | undefined {
  const found = useFoundMembers(session, enabled)
  const everybody = useEverybody(session, enabled)
  // The cache is newer than the copy.
  return useMemo(
    () => (everybody === undefined ? found : [...everybody, ...(found ?? [])]),
    [everybody, found],
  )
}

/**
 * Everybody in the complete local copy, for a file with ids and e-mails, which are compared with each other. Until the
 * copy is complete such rows are confirmed by a person.
 */
function useEverybody({ state }: ImportSession, enabled: boolean): readonly KnownMember[] | undefined {
  const isNamedTwice = ["member_id", "email"].every((key) => state.columns.some(({ field }) => field === key))
  const { data } = useQuery({ ...recipientsOf({}), enabled: enabled && isNamedTwice, retry: false })
  return useMemo(() => data?.data.members.map(knownMember), [data])
}

/** Members in the cache, and those found for the first names in an id column. */
function useFoundMembers(
  { state, read }: ImportSession,
  enabled: boolean,
): readonly KnownMember[] | undefined {
  const client = useQueryClient()
  const maySearch = useCan("members.search")
  const [members, setMembers] = useState<readonly KnownMember[]>()
  const isOpen = enabled && state.phase === "ready"
  const { key } = state
  const lookedUp = useRef<string>(undefined)
  useEffect(() => {
    if (!isOpen) return undefined
    let isOver = false
    const update = () => {
      if (isOver) return
      const known = membersInCache(client).map(knownMember)
      if (known.length > 0) setMembers(known)
    }
    update()
    const lookUp = async () => {
      if (!maySearch || lookedUp.current === key) return
      lookedUp.current = key
      const names = await read((sheet) => sheet.memberNames(mostNames))
      for (const name of names) {
        if (isOver) return
        await client.fetchQuery(memberSearchQuery(name.replaceAll(/\s+/g, " ")))
        update()
      }
    }
    // A row that was not looked up has a problem anyway.
    lookUp().catch(() => {})
    return () => {
      isOver = true
    }
  }, [client, isOpen, key, maySearch, read])
  return members
}

/** A member as rows are checked against it. */
export function knownMember(member: Recipients["members"][number]): KnownMember {
  return {
    id: member.id,
    name: fullName(member),
    email: member.email ?? undefined,
    status: member.status ?? undefined,
  }
}
