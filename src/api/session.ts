import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import * as z from "zod/mini"
import type { Permission } from "../../contract/roles.ts"
import {
  about,
  type ChangePasswordBody,
  linkPurpose,
  session,
  type Session,
  type SetPasswordBody,
  type SignInBody,
} from "../../contract/users.ts"
import { ApiError, CookieRefused, Offline } from "../lib/errors.ts"
import {
  abandonSession,
  apiPath,
  dataQuery,
  request,
  requestData,
  resumeSession,
  sessionEnded,
} from "./request.ts"
import { clearTabNames } from "../lib/tab-names.ts"
import { saveChoice, lowStock } from "../lib/external-value.ts"
import { lastReads } from "../lib/last-reads.ts"
import { dropAllDrafts } from "../lib/draft-store.ts"
import { dropRecentRecords } from "../lib/recent-records.ts"
import { showTimesIn } from "../lib/time.ts"

/** Before anybody is signed in, and at signing in, the end of a session is a response. */
const outside = { onSessionEnd: "throw" } as const

const path = apiPath("session")

/** How often a connection is looked for after opening without one, in ms. */
const lookAgainMs = 10_000

/** Who is signed in; null when nobody is. Opened without a connection: who was, by their id and role alone. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal, client, queryKey }): Promise<Session | null> => {
    try {
      const found = await requestData({ path, schema: session, signal, ...outside })
      const known = client.getQueryData<Session | null>(queryKey)
      // Another person signed in, in another tab: this tab's session is over.
      if (known && lastReads.earlier === undefined && known.user.id !== found.user.id) {
        someoneElseWas = true
        return keepEnded(known)
      }
      if (known) {
        resumeSession()
        dropOthersReads(client)
      }
      takeIn(found)
      if (lastReads.earlier !== undefined) {
        lastReads.earlier = undefined
        void client.invalidateQueries({ predicate: (query) => query.queryKey !== queryKey })
      }
      return found
    } catch (error) {
      const known = client.getQueryData<Session | null>(queryKey)
      if (isSignedOut(error)) {
        forgetOffline()
        return known ? keepEnded(known) : null
      }
      if (!(error instanceof Offline) || (known && lastReads.earlier === undefined)) throw error
      const earlier = await import("../lib/offline.ts").then(
        ({ earlierSession }) => earlierSession(),
        () => undefined,
      )
      if (earlier === undefined) throw error
      showAsIn(earlier)
      return earlier
    }
  },
  staleTime: 5 * 60_000,
  gcTime: Infinity,
  refetchInterval: () => lastReads.earlier !== undefined && lookAgainMs,
})

/** Caches the session that came with the page (bff/http/page.ts). Without one it is requested. */
export function cachePageSession(client: QueryClient): void {
  const block = document.getElementById("session")
  const found = z.nullable(session).safeParse(JSON.parse(block?.textContent ?? "{}"))
  block?.remove()
  if (!found.success) return
  if (found.data === null) forgetOffline()
  else takeIn(found.data)
  client.setQueryData(sessionQuery.queryKey, found.data)
}

/** This tab may hold what it read in the name of another person, before it heard that they had signed in. */
let someoneElseWas = false

/** A session that ended at work stays known: the page and what was typed stay as they are below the way back in. */
function keepEnded(known: Session): Session {
  sessionEnded.set(true)
  return known
}

/** Shows numbers and times as the program has them, and keeps who it is, without name and e-mail (src/lib/offline.ts). */
function takeIn(found: Session): void {
  showAsIn(found)
  // There is no server that the demo could lose.
  if (import.meta.env.MODE === "demo") return
  const { id, role } = found.user
  const nameless = { ...found, shell: undefined, user: { id, role, name: "Offline", email: "" } }
  saveChoice(lastReads.personKey, JSON.stringify({ at: Date.now(), session: nameless }))
}

function showAsIn({ program, low_stock }: Session): void {
  showTimesIn(program.time_zone)
  if (low_stock !== undefined) lowStock.set(low_stock)
}

/** Whoever opens the app without a connection from now on finds nothing. */
function forgetOffline(): void {
  lastReads.earlier = undefined
  lastReads.all.clear()
  try {
    if (localStorage.getItem(lastReads.personKey) === null) return
    localStorage.removeItem(lastReads.personKey)
  } catch {
    return
  }
  void import("../lib/offline.ts").then(
    ({ forgetReads }) => forgetReads(),
    // Without the person's key nobody reads them any more; the next who signs in replaces them.
    () => undefined,
  )
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

/** What the sign-in page has to know: version, environment, demo accounts. Open to everyone. */
export const aboutQuery = dataQuery(
  ["about"],
  { path: ["about"], schema: about, ...outside },
  { staleTime: Infinity },
)

/**
 * What a one-time link is for. The token travels in the body, never in an address; the cache forgets it with the page.
 */
export function linkQuery(token: string) {
  return dataQuery(
    ["one-time-link", token],
    { method: "POST", path: ["session", "link"], body: { token }, schema: linkPurpose, ...outside },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  )
}

/**
 * Signs in and lets everything that waited for it go on. Somebody else's responses never stay on the screen: when
 * another person signs in than before, everything cached is dropped.
 * @throws ApiError `wrong_credentials`, `too_many_attempts` with `retryAfter`
 */
export async function signIn(client: QueryClient, body: SignInBody): Promise<Session> {
  return takeSession(client, path, body)
}

/** Sets a password through a one-time link and signs in with it. The link is used up. */
export async function setPassword(client: QueryClient, body: SetPasswordBody): Promise<Session> {
  return takeSession(client, apiPath("session", "password"), body)
}

async function takeSession(client: QueryClient, address: string, body: unknown): Promise<Session> {
  const taken = await requestData({ method: "POST", path: address, body, schema: session, ...outside })
  await checkCookie()
  const before = client.getQueryData(sessionQuery.queryKey)
  if (before && before.user.id !== taken.user.id) {
    client.clear()
    forgetOffline()
  }
  takeIn(taken)
  client.setQueryData(sessionQuery.queryKey, taken)
  resumeSession()
  dropOthersReads(client)
  return taken
}

/** @throws CookieRefused when the next request does not carry the session */
async function checkCookie(): Promise<void> {
  try {
    await requestData({ path, schema: session, fresh: true, ...outside })
  } catch (error) {
    if (isSignedOut(error)) throw new CookieRefused("The browser did not keep the session’s cookie.")
    throw error
  }
}

function dropOthersReads(client: QueryClient): void {
  if (!someoneElseWas) return
  someoneElseWas = false
  client.removeQueries({ type: "inactive" })
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/**
 * Changes the password of whoever is signed in; their other sessions end.
 * @throws ApiError `validation` with the field: the current password is wrong, or the new one is easy to guess
 */
export async function changePassword(body: ChangePasswordBody): Promise<void> {
  await request({ method: "PUT", path: apiPath("session", "password"), body, schema: z.unknown() })
}

/**
 * Signs out. Nothing that was read stays in this browser then.
 * @throws ApiError when the session could not be ended: it still stands
 */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await request({ method: "DELETE", path, schema: z.unknown(), ...outside })
  } catch (error) {
    // Without a session there is nothing left to end.
    if (!isSignedOut(error)) throw error
  }
  forgetSession(client)
}

/** Drops everything read or typed under the session; requests that waited for it fail. */
export function forgetSession(client: QueryClient): void {
  abandonSession(new ApiError({ status: 401, code: "session_required", message: "You’re not signed in." }))
  client.clear()
  dropAllDrafts()
  dropRecentRecords()
  clearTabNames()
  forgetOffline()
  client.setQueryData(sessionQuery.queryKey, null)
}

/**
 * Who is signed in. Only for what stands behind the sign-in, whose route has made sure of a session. While somebody
 * signs out, the page that is about to go keeps whom it knew.
 */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  const [known, setKnown] = useState(data)
  if (data && data !== known) setKnown(data)
  const current = data ?? known
  if (!current) throw new Error("This part of the page needs a session.")
  return current
}

/** Whether a session has a permission at all, by what the server granted it. */
export function sessionCan({ permissions }: Session, permission: Permission): boolean {
  return (permissions[permission] ?? "no") !== "no"
}

/** Whether the person has a permission at all. The server decides again; this only explains beforehand. */
export function useCan(permission: Permission): boolean {
  const { data } = useQuery(sessionQuery)
  return data ? sessionCan(data, permission) : false
}
