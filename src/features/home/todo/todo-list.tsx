import { IconChevronRight, IconCircleCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import type { OpenTodo, Todo } from "./todo.ts"
import classes from "./todo-list.module.css"

/** What needs doing now, each line a link to where it is done. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  const nothing = todos.every(({ state }) => state === "clear")
  return (
    <section aria-label="To do">
      <h2 className="visually-hidden">To do</h2>
      {nothing ? (
        <p className={classes.nothing}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          You’re all caught up.
        </p>
      ) : (
        <ul>
          {todos.map((todo, at) => (
            // The lines keep their places.
            // oxlint-disable-next-line react/no-array-index-key
            <Line key={at} todo={todo} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ todo }: { todo: Todo }) {
  switch (todo.state) {
    case "clear":
      return null
    case "reading":
      return (
        <li className={classes.line}>
          <span className="visually-hidden">Loading…</span>
          <span className={classes.icon} aria-hidden />
          <span className={classes.bars} aria-hidden />
        </li>
      )
    case "failed":
      return (
        <li className={classes.failed}>
          <ErrorNotice error={todo.error} what={todo.what} onRetry={todo.retry} />
        </li>
      )
    default:
      return <OpenLine todo={todo} />
  }
}

function OpenLine({ todo: { icon: Icon, tone, title, about, link, label, first } }: { todo: OpenTodo }) {
  return (
    <li>
      <Link {...link} className={classes.line}>
        <span className={classes.icon} data-tone={tone}>
          <Icon size={18} stroke={1.75} aria-hidden />
        </span>
        <span className={classes.words}>
          <span className={classes.title}>{title}</span>
          <span className={classes.about} title={about}>
            {about}
          </span>
        </span>
        <span className={classes.go} data-first={first || undefined}>
          {label}
        </span>
        <IconChevronRight size={16} stroke={1.75} aria-hidden className={classes.chevron} />
      </Link>
    </li>
  )
}
