import { useTemplateName } from "./use-template-name.ts"

/** A card template by its name; nothing where the card names none. */
export function TemplateName({ id }: { id: string | null }) {
  const nameOf = useTemplateName()
  if (id === null) return null
  const name = nameOf(id)
  return (
    <span className={name === id ? "l-mono truncate" : "truncate"} title={id}>
      {name}
    </span>
  )
}
