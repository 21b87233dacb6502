/** The first job's number. */
export const firstJobNumber = 1001

/** Id of the job with a number, such as `J-1183`. */
export function jobIdOf(number: number): string {
  return `J-${number}`
}

/** Number of the job with an id; undefined for what is no job's id. */
export function jobNumberOf(id: string): number | undefined {
  return /^J-[1-9]\d{3,14}$/.test(id) ? Number(id.slice(2)) : undefined
}
