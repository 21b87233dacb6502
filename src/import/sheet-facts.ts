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
    /** Whether e-mails are looked up in the local copy, also those of rows without an id. */
    readonly emails?: boolean
    /** Members besides those of the cache: a stable array. */
    readonly known?: readonly KnownMember[] | undefined
    readonly used?: readonly UsedReference[]
  },
): void {
  const { change } = session
  const { cards, used, known: given, members: needsMembers = false, emails = false } = facts
  const cached = useFoundMembers(session, needsMembers)
  const all = useAllMembers(session, needsMembers, emails)
  const members = useMemo(
    () =>
      // The cache is newer than the copy.
      given === undefined && all === undefined
        ? cached
        : [...(given ?? []), ...(all ?? []), ...(cached ?? [])],
    [given, all, cached],
  )
  const allMembers = emails && all !== undefined
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
      allMembers,
      amounts: limits && { limits, currency },
      cards: known ? { settings, pairs, currency, used } : undefined,
    }
    void change((sheet) => sheet.setFacts(facts))
  }, [change, limits, currency, settings, pairs, used, members, allMembers])
}

/** Most names of a file that are looked up, one request each. */
const mostNames = 5

/**
 * All members in the complete local copy, for a file with ids and e-mails, and with `emails` for any with e-mails. Until
 * the copy is complete, e-mails are not compared with ids, which a person confirms.
 */
function useAllMembers(
  { state }: ImportSession,
  enabled: boolean,
  emails: boolean,
): readonly KnownMember[] | undefined {
  const isNamedTwice = ["member_id", "email"].every((key) => state.columns.some(({ field }) => field === key))
  const isNeeded = isNamedTwice || (emails && state.people.byEmail > 0)
  const mayRead = useCan("points.write")
  const { data } = useQuery({ ...recipientsOf({}), enabled: enabled && mayRead && isNeeded, retry: false })
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
