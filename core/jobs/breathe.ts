/**
 * Lets everything else of the process run for a moment. A store in a file answers without ever waiting: a walk over
 * 100,000 rows would otherwise hold up every request until its end.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
