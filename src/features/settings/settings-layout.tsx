import { Outlet, useLocation } from "@tanstack/react-router"
import { PageHeader } from "../../ui/page-header.tsx"
import { usePageTitle } from "../../ui/hooks.ts"
import { sectionAt } from "./sections.ts"
import classes from "./settings-layout.module.css"
import { SettingsNav } from "./settings-nav.tsx"

/** The settings: a second navigation and the section that is open. */
export function SettingsLayout() {
  const section = useLocation({ select: ({ pathname }) => sectionAt(pathname) })
  return (
    <div className={classes.page}>
      <PageHeader title="Settings" />
      <SectionTitle label={section?.label} />
      <div className={classes.columns}>
        <SettingsNav current={section} />
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </div>
  )
}

/** Names the window after the section; stands below the header so that its word comes last. */
function SectionTitle({ label }: { label: string | undefined }) {
  usePageTitle(label === undefined ? "Settings" : `${label} · Settings`)
  return null
}
