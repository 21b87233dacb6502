/** At so many pieces or fewer a reward is running low (docs/api/program.md has no such line; it is ours). */
export const lowStock = 10
