import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createPageScripts } from '#scripts/page-scripts/page-scripts.ts';
import { usedScripts } from '#scripts/page-scripts/unused.ts';
import { factsOf, type PageFacts } from '#scripts/publish/page-facts.ts';
import { copyClient } from './client-files.ts';
import { BUNDLES, CLIENT, PAGES, readKept } from './kept.ts';
import { openPageStore } from './page-store.ts';
import { fileOf, type Path } from './path.ts';
import { openRenderer } from './renderer.ts';
import { writeLatin1 } from './write-latin1.ts';

const BASE = '/_astro';

export interface MakeOptions {
  /** What was kept of the compilation. */
  readonly kept: string;
  /** An empty folder, where the site is made. */
  readonly out: string;
  readonly origin: string;
  /** Brings no page back. */
  readonly fresh: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Two routes may lead to one file; the more particular one comes first. */
function eachFileOnce(paths: readonly Path[]): Map<string, Path> {
  const files = new Map<string, Path>();
  for (const path of paths) {
    const file = fileOf(path);
    if (!files.has(file)) files.set(file, path);
  }
  return files;
}

/**
 * The same facts in texts of their own: a piece of a text keeps the whole, and ten thousand pages are 500 MB. Nearly all
 * are those of other pages, and are copied once.
 */
function factsApart(): (facts: PageFacts) => PageFacts {
  const texts = new Map<string, string>();
  const apart = (text: string): string => {
    const known = texts.get(text) ?? Buffer.from(text).toString();
    texts.set(known, known);
    return known;
  };
  return (facts) => ({
    ...facts,
    scripts: facts.scripts.map(apart),
    styles: facts.styles.map(apart),
    forbidden: facts.forbidden.map(apart),
    links: facts.links.map(apart),
    scriptFiles: facts.scriptFiles.map(apart),
  });
}

const isHtml = (file: string): boolean => file.endsWith('.html');

/** Makes the site of the compiled pages and the catalogue. Gives the facts of its pages, by file. */
export async function makePages(options: MakeOptions): Promise<Map<string, PageFacts>> {
  const { kept: folder, out, origin, fresh, onProgress } = options;
  const kept = readKept(folder);
  const folders = { from: join(folder, CLIENT, BASE), to: join(folder, BUNDLES), base: BASE };
  const graph = {
    imports: new Map(kept.graph.imports),
    later: new Map(kept.graph.later),
    stateful: new Map(kept.graph.stateful),
  };
  const scripts = createPageScripts({ graph, guard: kept.guard, moved: new Map(kept.moved), ...folders });
  const store = openPageStore(join(folder, PAGES), fresh);
  mkdirSync(join(out, BASE), { recursive: true });
  const renderer = await openRenderer(folder, kept, origin);
  const files = eachFileOnce(await renderer.paths());
  const facts = new Map<string, PageFacts>();
  const made = new Set<string>();
  const apart = factsApart();
  let done = 0;

  for (const [file, path] of files) {
    done += 1;
    onProgress(done, files.size);
    const target = join(out, file);
    if (!made.has(dirname(file))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(file));
    const before = path.cacheKey === undefined ? undefined : store.restore(path.cacheKey, target);
    if (before) {
      facts.set(file, before);
      continue;
    }
    const text = await renderer.render(path);
    if (!isHtml(file)) {
      writeLatin1(target, text);
      continue;
    }
    const finished = await scripts.finish(basename(file, '.html'), text);
    const html = renderer.withSheets(finished.html);
    writeLatin1(target, html);
    const own = apart(factsOf(html, finished.scriptFiles));
    facts.set(file, own);
    if (path.cacheKey !== undefined) store.keep(path.cacheKey, file, target, own);
  }
  const named = new Set([...facts.values()].flatMap(({ scriptFiles }) => scriptFiles));
  copyClient(join(folder, CLIENT), out, usedScripts([folders.from, folders.to], named));
  store.close();
  return facts;
}
