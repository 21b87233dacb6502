import { Radio } from "@mantine/core"
import { useController, type FieldValues } from "react-hook-form"
import { roleNames, roles, type Role } from "../../../../contract/roles.ts"
import { FieldError } from "../../../forms/field-error.tsx"
import type { FieldProps } from "../../../forms/field-props.ts"
import classes from "./role-field.module.css"
import { roleSentences } from "./role-words.ts"

/** One of the roles, each with what it is for. */
export function RoleField<I extends FieldValues, O>(props: FieldProps<I, O, Role>) {
  const { control, name, label, help, disabled = false } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  const { ref, ...rest } = field
  return (
    <Radio.Group
      {...rest}
      ref={ref}
      label={label}
      description={help}
      error={message === undefined ? undefined : <FieldError message={message} />}
    >
      <div className={classes.options}>
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={roleNames[role]}
            description={roleSentences[role]}
            disabled={disabled}
            classNames={{
              root: classes.option,
              inner: classes.mark,
              body: classes.body,
              labelWrapper: classes.words,
              label: classes.label,
            }}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
