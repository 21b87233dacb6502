import { roleNames, roles, type Role } from "../../../contract/roles.ts"
import type { PanelView } from "../demo-controls.ts"
import classes from "./panel-parts.module.css"

interface RoleSwitchProps {
  view: Pick<PanelView, "role" | "roles">
  onEnter: (role: Role) => void
}

/** Switches the role, one click each. A role without a user is disabled. */
export function RoleSwitch({ view, onEnter }: RoleSwitchProps) {
  return (
    <section aria-labelledby="demo-roles">
      <h3 id="demo-roles" className={classes.heading}>
        Role
      </h3>
      <div className={classes.roles}>
        {roles.map((role) => (
          <button
            key={role}
            type="button"
            className={classes.role}
            aria-pressed={view.role === role}
            disabled={!view.roles.includes(role)}
            onClick={() => onEnter(role)}
          >
            {roleNames[role]}
          </button>
        ))}
      </div>
    </section>
  )
}
