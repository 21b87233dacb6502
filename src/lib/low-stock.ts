import { create } from "zustand"

/** Stock at which a reward counts as low; from the session. */
export const useLowStock = create(() => ({ level: 10 }))
