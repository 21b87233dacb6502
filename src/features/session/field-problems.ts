/** The first problem of each field, as a form shows them. */
export function fieldProblems(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  for (const { path, message } of issues) {
    const field = String(path[0] ?? "")
    problems[field] ??= message
  }
  return problems
}
