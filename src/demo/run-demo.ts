import initSqlJs from "sql.js"
import sqliteFile from "sql.js/dist/sql-wasm-browser.wasm?url"
import { version } from "../../package.json"
import { createDemoControls } from "./demo-controls.ts"
import { demoLog } from "./demo-log.ts"
import { openDemoWorld } from "./demo-world.ts"
import { answerAtDoor } from "./door/demo-door.ts"
import { forgetEverything } from "./forget-everything.ts"
import { createSaver } from "./state/saver.ts"
import type { StateFile } from "./state/state-file.ts"
import { startWorker, type WorkerProblem } from "./worker/start-worker.ts"

/** A demo that answers. */
export interface RunningDemo {
  /** Resolves when everything is kept. */
  save(): Promise<void>
  /** Changes and keeps nothing from now on. */
  stop(): void
}

/** Opens what was kept, starts the worker and shows the panel; or says why the worker does not run. */
export async function runDemo(file: StateFile): Promise<RunningDemo | WorkerProblem> {
  const [sqlite, saved] = await Promise.all([initSqlJs({ locateFile: () => sqliteFile }), file.read()])
  const { world, discarded } = await openDemoWorld({ version, log: demoLog, sqlite, saved })
  const saver = createSaver(async () => {
    if (!(await file.write(await world.snapshot()))) controls.note("not-kept")
  })
  const controls = createDemoControls({
    world,
    note: discarded ? "discarded" : null,
    save: () => saver.now(),
    async reset() {
      saver.stop()
      await forgetEverything(file)
    },
  })
  const problem = await startWorker(async (request) => {
    const response = await answerAtDoor(world, request)
    // A change is kept before it is answered: whoever reads "Saved" finds it after a reload.
    if (request.method === "GET") saver.soon()
    else await saver.now()
    return response
  })
  if (problem !== undefined) return problem
  world.desk.start()
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void saver.now()
  })
  void import("./panel/mount-panel.tsx").then(({ mountPanel }) => mountPanel(controls))
  return {
    save: () => saver.now(),
    stop() {
      saver.stop()
      void world.desk.stop()
    },
  }
}
