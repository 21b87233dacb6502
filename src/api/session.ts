import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import * as z from "zod/mini"
import { create } from "zustand"
import type { Permission } from "../../contract/roles.ts"
import { about, linkPurpose, session, type Session } from "../../contract/session.ts"
import type { ChangePasswordBody, SetPasswordBody, SignInBody } from "../../contract/users.ts"
import { saveStored } from "../lib/browser-storage.ts"
import { dropAllDrafts } from "../lib/draft-store.ts"
import { ApiError, CookieRefused, Offline } from "../lib/errors.ts"
import { lastReads } from "../lib/last-reads.ts"
import { dropRecentRecords } from "../lib/recent-records.ts"
import { clearTabNames } from "../lib/names.ts"
import { showTimesIn } from "../lib/time.ts"
import {
  abandonSession,
  apiPath,
  dataQuery,
  request,
  requestData,
  resumeSession,
  useSessionStatus,
} from "./request.ts"

/** Stock at which a reward counts as low; from the session. */
export const useLowStock = create(() => ({ level: 10 }))

/** Signed-out requests, and signing in itself, receive a 401 as a response. */
const outside = { onSessionEnd: "throw" } as const

const path = apiPath("session")

/** Poll interval while offline, after opening the app without a connection, in ms. */
const offlinePollMs = 10_000

/** The signed-in user, or null. Offline at opening: the previous user, with id and role only. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal, client, queryKey }): Promise<Session | null> => {
    try {
      const found = await requestData({ path, schema: session, signal, ...outside })
      const known = client.getQueryData<Session | null>(queryKey)
      // Another user has signed in, in another tab: this tab's session has ended.
      if (known && lastReads.earlier === undefined && known.user.id !== found.user.id) {
        hadOtherUser = true
        return keepEnded(known)
      }
      if (known) {
        resumeSession()
        dropOtherUserReads(client)
      }
      applySession(found)
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
      applyProgram(earlier)
      return earlier
    }
  },
  staleTime: 5 * 60_000,
  gcTime: Infinity,
  refetchInterval: () => lastReads.earlier !== undefined && offlinePollMs,
})

/** Caches the session that came with the page (bff/http/page.ts). Without one it is requested. */
export function cachePageSession(client: QueryClient): void {
  const block = document.getElementById("session")
  const found = z.nullable(session).safeParse(JSON.parse(block?.textContent ?? "{}"))
  block?.remove()
  if (!found.success) return
  if (found.data === null) forgetOffline()
  else applySession(found.data)
  client.setQueryData(sessionQuery.queryKey, found.data)
}

/** Whether the cache may hold reads of another user who signed in, in another tab. */
let hadOtherUser = false

/** Keeps the session that ended, so that the page and its input stay under the sign-in dialog. */
function keepEnded(known: Session): Session {
  useSessionStatus.setState({ hasEnded: true })
  return known
}

/**
 * Applies the program's settings and saves the session for offline use, without name and e-mail (src/lib/offline.ts).
 */
function applySession(found: Session): void {
  applyProgram(found)
  // The demo has no server to lose.
  if (import.meta.env.MODE === "demo") return
  const { id, role } = found.user
  const nameless = { ...found, shell: undefined, user: { id, role, name: "Offline", email: "" } }
  saveStored(lastReads.personKey, { at: Date.now(), session: nameless })
}

function applyProgram({ program, low_stock }: Session): void {
  showTimesIn(program.time_zone)
  if (low_stock !== undefined) useLowStock.setState({ level: low_stock })
}

/** Removes everything saved for offline use. */
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
    // Without the user's key nothing can read them, and the next sign-in replaces them.
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

/** Purpose of a one-time link. The token is sent in the body, never in a URL, and is not cached. */
export function linkQuery(token: string) {
  return dataQuery(
    ["one-time-link", token],
    { method: "POST", path: ["session", "link"], body: { token }, schema: linkPurpose, ...outside },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  )
}

/**
 * Signs in and continues the requests that waited for it. If another user signs in than before, the cache is cleared.
 * @throws ApiError `wrong_credentials`, `too_many_attempts` with `retryAfter`
 */
export async function signIn(client: QueryClient, body: SignInBody): Promise<Session> {
  return postSession(client, path, body)
}

/** Sets a password through a one-time link and signs in with it. The link is used up. */
export async function setPassword(client: QueryClient, body: SetPasswordBody): Promise<Session> {
  return postSession(client, apiPath("session", "password"), body)
}

async function postSession(client: QueryClient, address: string, body: unknown): Promise<Session> {
  const created = await requestData({ method: "POST", path: address, body, schema: session, ...outside })
  await checkCookie()
  const before = client.getQueryData(sessionQuery.queryKey)
  if (before && before.user.id !== created.user.id) {
    client.clear()
    forgetOffline()
  }
  applySession(created)
  client.setQueryData(sessionQuery.queryKey, created)
  resumeSession()
  dropOtherUserReads(client)
  return created
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

function dropOtherUserReads(client: QueryClient): void {
  if (!hadOtherUser) return
  hadOtherUser = false
  client.removeQueries({ type: "inactive" })
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/**
 * Changes the signed-in user's password; their other sessions end.
 * @throws ApiError `validation` with the field: the current password is wrong, or the new one is easy to guess
 */
export async function changePassword(body: ChangePasswordBody): Promise<void> {
  await request({ method: "PUT", path: apiPath("session", "password"), body, schema: z.unknown() })
}

/**
 * Signs out and removes everything that was read in this browser.
 * @throws ApiError when the session could not be ended; it is still valid
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
 * The current session. Only for routes behind the sign-in. During sign-out it returns the previous session until the
 * page has closed.
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

/** Whether the user has a permission at all. The server checks again; this explains in advance. */
export function useCan(permission: Permission): boolean {
  const { data } = useQuery(sessionQuery)
  return data ? sessionCan(data, permission) : false
}
