import { auditActions } from "../../contract/audit.ts"

/** The name of an audited action for people; one that a newer server writes is shown as it comes. */
export function actionName(action: string): string {
  const names: Readonly<Record<string, string>> = auditActions
  return (Object.hasOwn(names, action) ? names[action] : undefined) ?? action
}
