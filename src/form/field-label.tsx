import classes from "./field.module.css"

/** A field's label. What may be left empty says so at the right end; what is required is not marked. */
export function FieldLabel({ label, optional }: { label: string; optional: boolean }) {
  return (
    <span className={classes.label}>
      {label}
      {/* Read aloud through `required` on the field itself. */}
      {optional && (
        <span className={classes.optional} aria-hidden>
          Optional
        </span>
      )}
    </span>
  )
}
