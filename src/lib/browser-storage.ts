import type * as z from "zod/mini"

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
export function saveStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Refused in private windows; the value is lost when the page closes.
  }
}
