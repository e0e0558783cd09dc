import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toLatin1 } from '#scripts/publish/latin1.ts';
import { type PageFamilies, pageFamilies } from './families.ts';
import { type Kept, SERVER } from './kept.ts';
import { PageResponse } from './page-response.ts';
import { fileOf, type Path } from './path.ts';
import { sheetMarks } from './sheet-marks.ts';

export interface Renderer {
  readonly paths: () => Promise<Path[]>;
  /** The page or file, as bytes (latin1.ts); of a page's style sheets only the mark. */
  readonly render: (path: Path) => Promise<string>;
  /** The page, as bytes, with its style sheets. */
  readonly withSheets: (page: string) => string;
}

type Load = () => Promise<unknown>;

/** Astro imports a page's module for every page that is made of it; even known to Node, that takes a third of a ms. */
function loadOnce(pageMap: Map<string, Load>, families: PageFamilies): void {
  for (const [component, load] of pageMap) {
    let loading: Promise<unknown> | undefined;
    pageMap.set(component, () => (loading ??= loadPage(component, load, families)));
  }
}

async function loadPage(component: string, load: Load, families: PageFamilies): Promise<unknown> {
  const module = await load();
  if (typeof module !== 'object' || module === null || !('page' in module)) return module;
  const { page } = module;
  if (typeof page !== 'function') return module;
  const loaded = families.join(component, await page());
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
  const { app, renderToString } = await import(pathToFileURL(join(server, entry)).href);
  const { StaticPaths } = await import('astro/runtime/prerender/static-paths.js');
  const sheets = sheetMarks();
  app.setInternals({ pagesByKeys: new Map(kept.styles.map(([key, styles]) => [key, sheets.mark(styles)])) });
  app.setOptions({ settings: { scripts: [] }, logger: app.logger });
  const families = pageFamilies(renderToString);
  loadOnce(app.manifest.pageMap, families);
  return {
    async paths() {
      const paths: Path[] = await new StaticPaths(app).getAll();
      // Only now: the catalogue is read with the real one.
      globalThis.Response = PageResponse;
      return paths;
    },
    async render(path) {
      const page = await families.render(path);
      if (page !== undefined) return toLatin1(page);
      const request = new Request(new URL(encodeURI(`/${fileOf(path)}`), origin));
      const response = await app.render(request, { routeData: path.route });
      return PageResponse.latin1(response);
    },
    withSheets: (page) => sheets.fill(page),
  };
}
