import { type AtlasEntry, menderNames } from "../../../../contract/error-catalogue.ts"
import { AtlasStep, hasStep } from "../../../ui/error-notice.tsx"
import classes from "./error-entry.module.css"

/** One error: its code, what happened, whose job it is, what to do. */
export function ErrorEntry({ entry }: { entry: AtlasEntry }) {
  const { status, code, title, happened, whose, next, systemic, action } = entry
  return (
    <li className={classes.entry}>
      <div className={classes.code}>
        <code>{code ?? "no code"}</code>
        <span className="text-muted l-num">{status}</span>
      </div>
      <div className={classes.words}>
        <h3>{title}</h3>
        <p>{happened}</p>
        <p>
          <span className="l-medium">Next:</span> {next}
        </p>
        {systemic && (
          <p className="text-muted">It affects every further request too, so a job pauses after the first.</p>
        )}
      </div>
      <div className={classes.whose}>
        <span className="text-muted l-meta">Who fixes this</span>
        <span>{menderNames[whose]}</span>
        {hasStep(action) && (
          <p>
            <AtlasStep action={action} />
          </p>
        )}
      </div>
    </li>
  )
}
