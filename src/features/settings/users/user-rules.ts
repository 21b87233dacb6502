import type { DeskUser } from "../../../../contract/users.ts"

/** Why something cannot be done to a user; undefined where it can. The server decides again. */
export interface Hindrances {
  readonly disable: string | undefined
  readonly demote: string | undefined
}

/**
 * Nobody locks the desk: not oneself out of it, and not everybody out of its settings.
 * @param me id of the person who is signed in
 * @param users everybody who may sign in
 */
export function hindrances(user: DeskUser, me: string, users: readonly DeskUser[]): Hindrances {
  if (user.id === me) {
    return {
      disable: "You can’t disable yourself. Ask another administrator.",
      demote: "You can’t change your own role. Ask another administrator.",
    }
  }
  const isLast = isActiveAdmin(user) && users.filter(isActiveAdmin).length <= 1
  const last = "This is the last administrator. Make someone else an administrator first."
  return isLast ? { disable: last, demote: last } : { disable: undefined, demote: undefined }
}

/** One who can sign in: with a link that nobody used, the desk would have no administrator all the same. */
function isActiveAdmin({ role, disabled, has_password }: DeskUser): boolean {
  return role === "admin" && !disabled && has_password
}
