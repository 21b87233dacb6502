/** What is made when it is asked for first, and is the same from then on: a page's start pays for no more than it shows. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
