import { useSyncExternalStore } from "react"
import type { ExternalValue } from "../lib/external-value.ts"

/** Follows a value outside React. */
export function useExternalValue<T>(value: ExternalValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.get)
}
