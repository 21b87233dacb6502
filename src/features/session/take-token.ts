let taken: string | null = null

/**
 * The one-time token from the address's fragment (`#token=…`), which a browser never sends, and takes it out of the
 * address, so that it stays in no history and no screenshot. Null when there is none.
 */
export function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token")
  if (token !== null && token !== "") {
    taken = token
    window.history.replaceState(window.history.state, "", window.location.pathname)
  }
  return taken
}
