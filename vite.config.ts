import { mkdirSync } from "node:fs"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { msw } from "msw/vite"
import { defineConfig, type Plugin } from "vite"

// The router's plugin writes here before it moves the finished file into place (tsr.config.json, tmpDir).
mkdirSync(new URL("node_modules/.cache/routes", import.meta.url), { recursive: true })

// A route's loader travels with its page, so that the sign-in page does not carry what the others read.
const routeParts: ("loader" | "component" | "pendingComponent" | "errorComponent" | "notFoundComponent")[] = [
  "loader",
  "component",
  "pendingComponent",
  "errorComponent",
  "notFoundComponent",
]

/** A route that stands in a group's chunk has one that only passes its exports on: its importers take them there. */
const withoutPassingOn: Plugin = {
  name: "without-passing-on",
  enforce: "post",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === "chunk")
    for (const { fileName, code } of chunks) {
      const [, names, from] = /^export\{([^{}]*)\}from"\.\/([\w-]+\.js)";?\s*$/.exec(code) ?? []
      if (names === undefined || from === undefined) continue
      const file = fileName.replace(/^.*\//, "")
      const parts = names.split(",").map((each) => each.split(" as "))
      const picked = parts.map(([name, as = name]) => `${as}:e.${name}`).join(",")
      const imports = new RegExp(`import\\(.\\./${file}.\\)`, "g")
      for (const chunk of chunks) {
        chunk.code = chunk.code
          .replaceAll(imports, () => `import("./${from}").then(e=>({${picked}}))`)
          .replaceAll(file, from)
      }
      delete bundle[fileName]
    }
  },
}

/** The service worker, which stands by itself at the root: it knows what was built, and so is another one for each build. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  buildStart() {
    this.emitFile({ type: "chunk", id: "src/service-worker.ts", fileName: "sw.js" })
  },
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const files = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|woff2)$/.test(file))
      const worker = bundle["sw.js"]
      if (worker?.type !== "chunk") return
      worker.code = worker.code.replace("__BUILT_FILES__", JSON.stringify(files.map((file) => `/${file}`)))
    },
  },
}

/** Groups of chunks (below) that a first view of a list runs: browsers compile them as they arrive, beside the main thread. */
const runAtOnce = new Set(["react", "base", "app", "list"])

const compiledAtOnce: Plugin = {
  name: "compiled-at-once",
  generateBundle: {
    // Last: it has to be the first line.
    order: "post",
    handler(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk" && runAtOnce.has(output.name))
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`
      }
    },
  },
}

/**
 * The desk (`vite build` → dist/app) and the demo (`vite build --mode demo` → dist/demo), which is the same desk
 * with a service worker in the server's place. Route settings stand in tsr.config.json.
 */
export default defineConfig(({ mode }) => {
  const demo = mode === "demo"
  return {
    // The demo may be served from any path; it finds out which (src/lib/app-root.ts).
    base: demo ? "./" : "/",
    plugins: [
      tanstackRouter({ codeSplittingOptions: { defaultBehavior: [routeParts] } }),
      react(),
      withoutPassingOn,
      compiledAtOnce,
      !demo && serviceWorker,
      demo && msw({ mode: "worker-only" }),
    ],
    build: {
      outDir: demo ? "dist/demo" : "dist/app",
      emptyOutDir: true,
      // The size of a page's first view is measured from it.
      manifest: true,
      // The chart is one chunk that only opens with a ledger; the demo carries both services.
      chunkSizeWarningLimit: 1500,
      // Every browser we support preloads modules by itself.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            // Few files that hold what is always needed together: a dozen small ones compress a tenth worse, and each is a
            // request. A group takes what its modules import with it, unless a group of higher priority has it already.
            groups: [
              // The entry, with what it and every other chunk need: it starts before any of them has arrived, here and in its worker.
              {
                name: "index",
                test: /index\.html|preload-helper|src[\\/](main|lib[\\/]after-paint)\./,
                priority: 7,
              },
              // Nothing of React runs before it is called.
              {
                name: "react",
                test: /src[\\/]react\.|node_modules[\\/](react|react-dom|scheduler)[\\/]/,
                priority: 6,
              },
              // The router with its routes, the queries, and what the sign-in page shares with the desk.
              {
                name: "base",
                test: /src[\\/](global\.css|(app|router|start)\.tsx|lib[\\/]colour-scheme\.|ui[\\/](notice|brand|hooks|button)\.)/,
                priority: 5,
              },
              // Outlines of half a kilobyte each: one request for those that several pages show.
              { name: "icons", test: /node_modules[\\/]@tabler[\\/]/, minShareCount: 2, priority: 4 },
              // The frame around every page, what most pages show in it, and hooks that pages share with what opens over them.
              {
                name: "app",
                test: /src[\\/](routes[\\/]_app\.tsx\?|api[\\/]members\.|lists[\\/](list-page|require-permission)\.|ui[\\/](data-table|error-notice|icon-button|meter|page-header|popover|query-state|segmented|status|tooltip|values)\.)|(contract[\\/]redaction|forms[\\/]job-link|lib[\\/]same-value)\.|(VisuallyHidden|CheckIcon|CloseButton|create-safe-context|use-(callback-ref|merged-ref|uncontrolled|window-event))[\\/.]/,
                priority: 3,
              },
              // What every list page is made of, the table's engine above all.
              {
                name: "list",
                test: /src[\\/]lists[\\/](?!virtual-body|filter-panels|list-params|download|views-menu|arrange-columns)/,
                priority: 2,
              },
              // What home, orders and the pages of single records share.
              {
                name: "record",
                test: /src[\\/](api[\\/](orders|rewards)|ui[\\/](page-tabs\.module|record-(link|page)))\./,
                priority: 2,
              },
              // Gift cards, and settings that they and jobs keep to.
              {
                name: "cards-and-settings",
                test: /contract[\\/](cards|giftcard[\\/]card|settings)\.|src[\\/]api[\\/]settings\./,
                priority: 2,
              },
              // Whatever shows or makes jobs, or what they did.
              {
                name: "jobs",
                test: /contract[\\/](job(-kinds|-rows)?|row-outcomes)\.|src[\\/](api[\\/](audit|jobs|points)|forms[\\/]one-row|lib[\\/]job-title)\./,
                priority: 2,
              },
              // What home shows of jobs and notices.
              {
                name: "home-parts",
                test: /src[\\/](features[\\/]activity[\\/](activity\.module|job-status)|ui[\\/]notice-line)\./,
                priority: 2,
              },
              // Small parts of the pages of orders and of the ship desk.
              {
                name: "orders-parts",
                test: /src[\\/](features[\\/]orders[\\/]order-row|lib[\\/]order-ids)\./,
                priority: 2,
              },
              // Fields, and the sheet of what opens over a page or stands in forms: who needs them needs not all of that.
              {
                name: "parts",
                test: /mantine-parts\.css|@mantine[\\/]core[\\/]esm[\\/](components[\\/](Checkbox|Input|InputBase|NativeSelect|TextInput)|utils[\\/]InlineInput)[\\/]/,
                priority: 2,
              },
              // What opens over a page: menus, dialogs, drawers.
              {
                name: "overlay",
                test: /node_modules[\\/](@floating-ui[\\/]|@mantine[\\/]core[\\/]esm[\\/]components[\\/](FocusTrap|Menu|Modal|Popover)[\\/])/,
                priority: 1,
              },
              // What a drawer with fields is made of, and the questions before it is left.
              {
                name: "form",
                test: /src[\\/](forms[\\/](field-groups|fields|form)|ui[\\/](confirm-dialog|side-drawer))\./,
              },
            ],
          },
        },
      },
    },
    // The server takes changes from the origin that the browser shows, so the host stays as it was sent.
    server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
  }
})
