import { NativeSelect, Stack, VisuallyHidden } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import type { Connection, AppStatus } from "../../../contract/status.ts"
import { sessionCan, useSession } from "../../api/session.ts"
import { statusQuery } from "../../api/status.ts"
import { driftHandling } from "./status-drift.tsx"
import { usePageTitle } from "../../ui/hooks.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { sectionAt, type SettingsSection, settingsSections } from "./search.ts"
import classes from "./settings.module.css"

/** The settings: a second navigation and the section that is open. */
export function SettingsLayout() {
  const section = useLocation({ select: ({ pathname }) => sectionAt(pathname) })
  return (
    <Stack gap={0} flex="1 0 auto">
      <PageHeader title="Settings" />
      <SectionTitle label={section?.label} />
      <div className={classes.columns}>
        <SettingsNav current={section} />
        <Stack gap="lg" miw={0} maw={1016} px="var(--l-gutter)" pt={20} pb="xl">
          <Outlet />
        </Stack>
      </div>
    </Stack>
  )
}

/** Names the window after the section; stands below the header so that its word comes last. */
function SectionTitle({ label }: { label: string | undefined }) {
  usePageTitle(label === undefined ? "Settings" : `${label} · Settings`)
  return null
}

/** The second navigation: a column, a row of tabs on a tablet, a list to choose from on a phone. */
function SettingsNav({ current }: { current: SettingsSection | undefined }) {
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
  if (data === undefined || !needsAttention(data.data)) return null
  return (
    <span className={classes.attention}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <VisuallyHidden>needs attention</VisuallyHidden>
    </span>
  )
}

/** Whether the status page shows something to act on: a service in trouble, a refused key, an unknown value. */
export function needsAttention({ connections, drift }: AppStatus): boolean {
  return connections.some(inTrouble) || drift.some((row) => driftHandling(row).tone === "warning")
}

function inTrouble({ state, seen }: Connection): boolean {
  return state === "slow" || state === "not_answering" || seen.read === "refused" || seen.write === "refused"
}
