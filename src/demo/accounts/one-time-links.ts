import * as z from "zod/mini"
import type { PasswordLink } from "../../../contract/users.ts"

const dayMs = 24 * 60 * 60 * 1000

/** A link that was handed out: the token itself is never kept, only what it is recognised by. */
export const keptLink = z.object({ hash: z.string(), user_id: z.string(), expires_at: z.number() })
/** A link that was handed out. */
export type KeptLink = z.output<typeof keptLink>

/** One-time password links. */
export interface OneTimeLinks {
  /** A new link for the user, for 24 hours; earlier ones stop working. */
  make(userId: string): Promise<PasswordLink>
  /** Whose password the token sets; undefined when it opens nothing. */
  find(token: string): Promise<string | undefined>
  /** Forgets every link of the user: it was used, or the account was closed. */
  forget(userId: string): void
  kept(): KeptLink[]
}

/** Makes them, with those of an earlier visit. `now` gives ms since 1970. */
export function createOneTimeLinks(earlier: readonly KeptLink[], now: () => number): OneTimeLinks {
  let links = [...earlier]
  return {
    async make(userId) {
      const token = base64url(crypto.getRandomValues(new Uint8Array(32)))
      const hash = await hashOf(token)
      const expiresAt = now() + dayMs
      links = [
        ...links.filter((link) => link.user_id !== userId),
        { hash, user_id: userId, expires_at: expiresAt },
      ]
      return { path: `/set-password#token=${token}`, expires_at: new Date(expiresAt).toISOString() }
    },
    async find(token) {
      const hash = await hashOf(token)
      return links.find((link) => link.hash === hash && link.expires_at > now())?.user_id
    },
    forget(userId) {
      links = links.filter((link) => link.user_id !== userId)
    },
    kept: () => links.filter((link) => link.expires_at > now()),
  }
}

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))
  return base64url(new Uint8Array(digest))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}
