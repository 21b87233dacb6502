import { useMemo } from "react"

/** The distinct texts of some things, as the same array as long as they are the same. @param textsOf never changes */
export function useSameTexts<T>(
  things: readonly T[],
  textsOf: (thing: T) => string | readonly string[],
): readonly string[] {
  const key = useMemo(() => JSON.stringify([...new Set(things.flatMap(textsOf))]), [things, textsOf])
  return useMemo(() => readTexts(key), [key])
}

function readTexts(key: string): readonly string[] {
  const parsed: unknown = JSON.parse(key)
  return Array.isArray(parsed) ? parsed.filter((each): each is string => typeof each === "string") : []
}
