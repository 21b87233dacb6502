import classes from "./field.module.css"

/** A field's label. What may be left empty says so at the right end; what is required is not marked. */
export function FieldLabel({ label, optional }: { label: string; optional: boolean }) {
  return (
    <span className={classes.label} data-aside={optional ? "Optional" : undefined}>
      {label}
    </span>
  )
}
