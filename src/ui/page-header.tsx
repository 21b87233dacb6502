import { Box, Group, Stack } from "@mantine/core"
import { IconChevronRight } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { Fragment, memo, type ReactNode } from "react"
import { usePageTitle } from "./hooks.ts"
import classes from "./page-header.module.css"

/** The header of a page: path, `h1`, one fact and the page's actions. Sets the window's title. */
export const PageHeader = memo(function PageHeader(props: {
  title: string
  /** One fact next to the title: "214 members". Announced on change. */
  sum?: ReactNode
  path?: readonly { label: string; to: string }[]
  pill?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
}) {
  const { title, sum, path = [], pill, lead, actions } = props
  usePageTitle(title)
  return (
    <header className={classes.header} data-lines={lead === undefined ? undefined : "several"}>
      {lead}
      <div className={`grow ${classes.words}`}>
        {path.length > 0 && (
          <Group
            component="nav"
            aria-label="Path"
            gap="xs"
            mb={2}
            className={`caption l-medium ${classes.path}`}
          >
            {path.map((step, index) => (
              <Fragment key={step.to}>
                {index > 0 && <IconChevronRight size={12} stroke={2} aria-hidden />}
                <Link to={step.to}>{step.label}</Link>
              </Fragment>
            ))}
          </Group>
        )}
        <Group gap="2px 12px">
          <h1 tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          {pill}
          {sum !== undefined && (
            <Box component="output" pt="xs" className="text-muted l-num">
              {sum}
            </Box>
          )}
        </Group>
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  )
})

/** A section with its heading, an optional fact next to it, and a figure, link or button at the end. */
export function Section(props: { title: string; aside?: ReactNode; end?: ReactNode; children: ReactNode }) {
  const { title, aside, end, children } = props
  return (
    <Stack component="section" aria-label={title} gap="sm" miw={0}>
      <Group align="baseline" gap="4px 12px">
        <h2>{title}</h2>
        {aside !== undefined && <span className="text-muted l-num">{aside}</span>}
        {end !== undefined && (
          <Box component="span" ms="auto" maw="100%" className="caption l-num">
            {end}
          </Box>
        )}
      </Group>
      {children}
    </Stack>
  )
}

/** One number with its label. */
export interface Figure {
  label: string
  value: ReactNode
  quiet?: boolean
}

/** A number with its total, or with its accuracy. */
export const figureOf = (value: string, rest: string) => (
  <>
    {value}{" "}
    <Box component="span" fz="var(--l-fs-section)" fw={500} lts={0} className={`text-muted ${classes.rest}`}>
      {rest}
    </Box>
  </>
)

/** The figures of a page: label above, tabular, separated by hairlines. `end` is at the right. */
export function Figures({ items, end }: { items: readonly Figure[]; end?: ReactNode }) {
  return (
    <div className={classes.row}>
      <dl className={`grow ${classes.figures}`}>
        {items.map(({ label, value, quiet }, index) => (
          <div key={label} className={classes.figure}>
            <dt className="caption nowrap">{label}</dt>
            <dd
              className={`figure-text nowrap ${classes.value}`}
              data-quiet={(quiet ?? index > 0) || undefined}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {end !== undefined && <div className="caption l-num">{end}</div>}
    </div>
  )
}
