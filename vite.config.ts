import { mkdirSync } from "node:fs"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { msw } from "msw/vite"
import { defineConfig } from "vite"

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

/**
 * The desk (`vite build` → dist/app) and the demo (`vite build --mode demo` → dist/demo), which is the same desk
 * with a service worker in the server's place. Route settings stand in tsr.config.json.
 */
export default defineConfig(({ mode }) => {
  const demo = mode === "demo"
  return {
    plugins: [
      tanstackRouter({ codeSplittingOptions: { defaultBehavior: [routeParts] } }),
      react(),
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
            // Few files that hold what is always needed together: a dozen small ones compress a tenth worse. Each
            // group takes what its modules import with it, unless a group of higher priority has it already.
            groups: [
              { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
              // The router with its routes, the queries, and what the sign-in page shares with the desk.
              {
                name: "base",
                test: /src[\\/](global\.css|app\.tsx|lib[\\/]colour-scheme\.|ui[\\/](notice|brand|hooks)\.)/,
                priority: 3,
              },
              // Outlines of half a kilobyte each: one request for those that several pages show.
              { name: "icons", test: /node_modules[\\/]@tabler[\\/]/, minShareCount: 3, priority: 2 },
              // The frame around every page, and what most pages show in it.
              {
                name: "app",
                test: /src[\\/](routes[\\/]_app\.tsx\?|lists[\\/](list-page|require-permission)\.|ui[\\/](tooltip|popover|icon-button|status|values|page-header|query-state|error-notice)\.)/,
                priority: 1,
              },
              // What every list page is made of, the table's engine above all.
              {
                name: "list",
                test: /src[\\/]lists[\\/](?!virtual-body|filter-panels|list-params|download)/,
              },
              // What finds a place for a menu; the dialogs that need none do without.
              { name: "floating", test: /node_modules[\\/]@floating-ui[\\/]/ },
            ],
          },
        },
      },
    },
    // The server takes changes from the origin that the browser shows, so the host stays as it was sent.
    server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
  }
})
