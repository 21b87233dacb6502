/**
 * Where to go after signing in: a path of this app only, so that a crafted link cannot redirect a user who has just
 * typed a password.
 */
export function safePath(wanted: string | undefined): string {
  const start = "/"
  if (wanted === undefined || !wanted.startsWith("/")) return start
  const here = "https://laurel.invalid"
  if (!URL.canParse(wanted, here)) return start
  const { origin, pathname, search, hash } = new URL(wanted, here)
  if (origin !== here || pathname.startsWith("//") || pathname === "/sign-in") return start
  return pathname + search + hash
}
