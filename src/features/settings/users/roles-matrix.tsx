import { VisuallyHidden } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import { permissions, roleNames, roles, type Grant, type Role } from "../../../../contract/roles.ts"
import { grantNotes, grantWords } from "./role-words.ts"
import classes from "./roles-matrix.module.css"

/** What each role may do: the roles table itself, row by row. `chosen` marks one column. */
export function RolesMatrix({ chosen }: { chosen?: Role }) {
  return (
    <div>
      <table className={classes.matrix} aria-label="What each role may do">
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Permission</VisuallyHidden>
            </th>
            {roles.map((role) => (
              <th key={role} scope="col" data-chosen={role === chosen || undefined}>
                <span>{roleNames[role]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(permissions).map(([permission, { label, grants }]) => (
            <tr key={permission}>
              <th scope="row">{label}</th>
              {roles.map((role) => (
                <td key={role} data-chosen={role === chosen || undefined}>
                  <Cell grant={grants[role]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.notes}>
        {grantNotes.map(([word, meaning]) => `${word}: ${meaning}`).join(". ")}.
      </p>
    </div>
  )
}

function Cell({ grant }: { grant: Grant }) {
  if (grant !== "yes" && grant !== "no") return <span className={classes.some}>{grantWords[grant]}</span>
  return (
    <>
      {grant === "yes" ? (
        <IconCheck size={15} stroke={2} aria-hidden className={classes.yes} />
      ) : (
        <span aria-hidden className={classes.no}>
          –
        </span>
      )}
      <VisuallyHidden>{grantWords[grant]}</VisuallyHidden>
    </>
  )
}
