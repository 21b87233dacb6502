import { NativeSelect, VisuallyHidden } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { sessionCan, useSession } from "../../api/session.ts"
import { statusQuery } from "../../api/status.ts"
import { settingsSections, type SettingsSection } from "./sections.ts"
import classes from "./settings-nav.module.css"
import { asksForALook } from "./status/asks-for-a-look.ts"

/** The second navigation: a column, a row of tabs on a tablet, a list to choose from on a phone. */
export function SettingsNav({ current }: { current: SettingsSection | undefined }) {
  const session = useSession()
  const navigate = useNavigate()
  const shown = settingsSections.filter(
    ({ permission }) => permission === undefined || sessionCan(session, permission),
  )
  return (
    <>
      <nav aria-label="Settings" className={classes.nav}>
        {shown.map((section) => (
          <Link
            key={section.to}
            to={section.to}
            className={classes.item}
            aria-current={section === current ? "page" : undefined}
          >
            {section.label}
            {section.to === "/settings/status" && <StatusMark />}
          </Link>
        ))}
      </nav>
      <div className={classes.choose}>
        <NativeSelect
          aria-label="Section of the settings"
          size="md"
          value={current?.to ?? ""}
          onChange={({ currentTarget }) => {
            const chosen = shown.find(({ to }) => to === currentTarget.value)
            if (chosen !== undefined) void navigate({ to: chosen.to })
          }}
          data={[
            ...(current === undefined || shown.includes(current)
              ? []
              : [{ value: current.to, label: current.label }]),
            ...shown.map(({ to, label }) => ({ value: to, label })),
          ]}
        />
      </div>
    </>
  )
}

/** Beside "Status" while something there needs a look. */
function StatusMark() {
  const { data } = useQuery(statusQuery)
  if (data === undefined || !asksForALook(data.data)) return null
  return (
    <span className={classes.mark}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <VisuallyHidden>needs attention</VisuallyHidden>
    </span>
  )
}
