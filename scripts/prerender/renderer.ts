import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Kept, SERVER } from './kept.ts';
import { PageResponse } from './page-response.ts';
import { sheetMarks } from './sheet-marks.ts';

/** Astro's own description of a route; only what is read here. */
interface Route {
  readonly component: string;
  readonly type: string;
}

/** A page to be made. */
export interface Path {
  /** Without slash at the end, decoded; '' for the home page. */
  readonly pathname: string;
  readonly route: Route;
  /** The page is as it was while this is as it was; undefined where nobody knows. */
  readonly cacheKey?: string | undefined;
}

export interface Renderer {
  readonly paths: () => Promise<Path[]>;
  /** The page or file, as bytes (latin1.ts). */
  readonly render: (path: Path) => Promise<string>;
}

const isPage = ({ route }: Path): boolean => route.type === 'page';

/** The page's file within the site: `build.format: 'file'`. */
export function fileOf(path: Path): string {
  const name = path.pathname.replace(/^\/|\/$/g, '');
  return isPage(path) ? `${name || 'index'}.html` : name;
}

type Load = () => Promise<unknown>;

/** Astro imports a page's module for every page that is made of it; even known to Node, that takes a third of a ms. */
function loadOnce(pageMap: Map<string, Load>): void {
  for (const [component, load] of pageMap) {
    let loading: Promise<unknown> | undefined;
    pageMap.set(component, () => (loading ??= loadPage(load)));
  }
}

async function loadPage(load: Load): Promise<unknown> {
  const module = await load();
  if (typeof module !== 'object' || module === null || !('page' in module)) return module;
  const { page } = module;
  if (typeof page !== 'function') return module;
  const loaded: unknown = await page();
  return { ...module, page: () => loaded };
}

/**
 * The compiled pages, ready to be made. It does what Astro's default prerenderer does
 * (astro/dist/core/build/default-prerenderer.js), with what was kept of the compilation.
 */
export async function openRenderer(folder: string, kept: Kept, origin: string): Promise<Renderer> {
  globalThis.builtChunks = new Map(kept.chunks);
  const server = join(folder, SERVER);
  const entry = readdirSync(server).find((name) => name.startsWith('prerender-entry.')) ?? '';
  const { app } = await import(pathToFileURL(join(server, entry)).href);
  const { StaticPaths } = await import('astro/runtime/prerender/static-paths.js');
  const sheets = sheetMarks();
  app.setInternals({ pagesByKeys: new Map(kept.styles.map(([key, styles]) => [key, sheets.mark(styles)])) });
  app.setOptions({ settings: { scripts: [] }, logger: app.logger });
  loadOnce(app.manifest.pageMap);
  return {
    async paths() {
      const paths: Path[] = await new StaticPaths(app).getAll();
      // Only now: the catalogue is read with the real one.
      globalThis.Response = PageResponse;
      return paths;
    },
    async render(path) {
      const request = new Request(new URL(encodeURI(`/${fileOf(path)}`), origin));
      const response = await app.render(request, { routeData: path.route });
      return sheets.fill(await PageResponse.latin1(response));
    },
  };
}
