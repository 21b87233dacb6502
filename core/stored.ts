import { DeskFailure } from "./failure.ts"

/**
 * Awaits something of the desk's own store.
 * @throws DeskFailure 503 `store_unavailable` when it fails
 */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unavailable("Laurel’s database isn’t responding. Nothing was saved. Try again in a moment.", error)
  }
}

/**
 * Awaits the audit entry of something that is done already: whoever asked must not take it for undone.
 * @throws DeskFailure 503 `store_unavailable` when it fails
 */
export async function recorded(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw unavailable(
      "The change was made, but Laurel’s database failed before the audit entry was saved. Don’t repeat it: reload the page to see it, and tell an administrator.",
      error,
    )
  }
}

function unavailable(message: string, cause: unknown): DeskFailure {
  return new DeskFailure({ status: 503, code: "store_unavailable", message, cause })
}
