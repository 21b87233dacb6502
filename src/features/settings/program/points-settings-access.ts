import { useSession } from "../../../api/session.ts"

/** Whether this person may say how points are awarded: administrators, as the server decides. */
export function usePointsSettingsAccess(): boolean {
  return useSession().user.role === "admin"
}
