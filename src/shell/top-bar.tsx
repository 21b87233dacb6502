import { UnstyledButton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core"
import { IconKeyboard, IconMoon, IconSearch, IconSun } from "@tabler/icons-react"
import { useSession } from "../api/session.ts"
import { EnvBadge, Logo } from "../ui/brand.tsx"
import { IconButton } from "../ui/icon-button.tsx"
import { BudgetChip } from "./budget-chip.tsx"
import { JobsChip } from "./jobs/jobs-chip.tsx"
import { modifier } from "./modifier.ts"
import { overlay } from "./shell-state.ts"
import classes from "./top-bar.module.css"

const openPalette = () => overlay.set("palette")

/** Search at the left, jobs, the budget and the look at the right. Never a page's own actions. */
export function TopBar() {
  const { environment } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme("light")

  return (
    <section aria-label="Search, jobs and budget" className={classes.bar}>
      <div className={classes.phone}>
        <Logo size={22} />
        <b className={classes.name}>Laurel</b>
      </div>
      <UnstyledButton className={classes.find} onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={classes.findWords}>Search or jump to</span>
        <kbd>{modifier} K</kbd>
      </UnstyledButton>
      <span className={classes.environment}>
        <EnvBadge environment={environment} />
      </span>
      <div className={classes.end}>
        <JobsChip />
        <BudgetChip />
        <span className={classes.line} />
        <span className={classes.desktop}>
          <IconButton
            label="Keyboard shortcuts"
            icon={<IconKeyboard size={16} stroke={1.75} />}
            onClick={() => overlay.set("shortcuts")}
          />
          <IconButton
            label={scheme === "dark" ? "Light colours" : "Dark colours"}
            icon={
              scheme === "dark" ? <IconSun size={16} stroke={1.75} /> : <IconMoon size={16} stroke={1.75} />
            }
            onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
          />
        </span>
        <span className={classes.phone}>
          <IconButton
            label="Search or jump to"
            size="xl"
            icon={<IconSearch size={20} stroke={1.75} />}
            onClick={openPalette}
          />
        </span>
      </div>
    </section>
  )
}
