import { DeskFailure } from "./failure.ts"

/**
 * Awaits something of the desk's own store.
 * @throws DeskFailure 503 `store_unavailable` when it fails
 */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new DeskFailure({
      status: 503,
      code: "store_unavailable",
      message: "The desk's own store does not answer. Nothing was saved. Try again in a moment.",
      cause: error,
    })
  }
}
