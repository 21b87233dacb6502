import * as z from "zod/mini"
import { create } from "zustand"
import { persist, type PersistStorage } from "zustand/middleware"

/** The JSON value stored under a key; undefined if it is missing or invalid, or storage is blocked. */
export function readStored<T>(
  key: string,
  shape: z.ZodMiniType<T>,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): T | undefined {
  try {
    return shape.safeParse(JSON.parse(globalThis[storage].getItem(key) ?? "null")).data
  } catch {
    return undefined
  }
}

/** Stores a JSON value, if the browser allows it. */
export function saveStored(
  key: string,
  value: unknown,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): void {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value))
  } catch {
    // Refused in private windows; the value is lost when the page closes.
  }
}

/** Deletes the values whose keys start with a prefix. */
export function dropStored(
  prefix: string,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): void {
  try {
    const { [storage]: stored } = globalThis
    for (const key of Object.keys(stored)) if (key.startsWith(prefix)) stored.removeItem(key)
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** A zustand store that this browser keeps: an invalid value is ignored, and a full storage is no error. */
export function createStored<T>(name: string, shape: z.ZodMiniType<T>, initial: T) {
  const stored = z.object({ state: shape })
  const storage: PersistStorage<T> = {
    getItem: (key) => readStored(key, stored) ?? null,
    setItem: saveStored,
    removeItem: (key) => localStorage.removeItem(key),
  }
  return create<T>()(persist(() => initial, { name, storage }))
}
