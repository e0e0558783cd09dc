import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { toLatin1 } from '#scripts/publish/latin1.ts';
import { bundleScripts } from './bundle.ts';
import { bundleIslands, type Folders, islandsOf, withBundle } from './islands.ts';
import { type ChunkGraph, closure } from './module-graph.ts';
import type { Place } from './place.ts';
import { atEndOfBody, takeModuleScripts } from './rewrite.ts';
import { scriptNamesIn } from './unused.ts';

/*
 * A content page carries its few KB of script in itself: one round trip, whatever the bundler shares between pages.
 * A page with islands shares its modules with them, and asks for all of them at once.
 */

export interface PageScriptsOptions extends Folders {
  readonly graph: ChunkGraph;
  readonly guard: string;
  /** Where later parts of content pages are by now (content-parts.ts). */
  readonly moved: ReadonlyMap<string, Place>;
}

const Files = v.array(v.string());

function refuseSecondCopies(page: string, names: readonly string[], graph: ChunkGraph): void {
  for (const name of names.flatMap((each) => graph.later.get(each) ?? [])) {
    const doubled = graph.stateful.get(name) ?? [];
    if (doubled.length === 0) continue;
    throw new Error(
      `${page} would hold two copies of ${doubled.map((id) => basename(id)).join(', ')}: one in itself ` +
        `(${names.join(', ')}), one in ${name}, which it loads later. Let the later part return what it finds, ` +
        'and call the store from the page.',
    );
  }
}

/** What was made once of the same parts, in a file that outlives the build. */
function remembering(folder: string) {
  const known = new Map<string, string>();
  mkdirSync(folder, { recursive: true });
  return async (parts: unknown, make: () => Promise<string>): Promise<string> => {
    const key = JSON.stringify(parts);
    const before = known.get(key);
    if (before !== undefined) return before;
    const file = join(folder, `${createHash('sha256').update(key).digest('base64url').slice(0, 22)}.made`);
    const made = existsSync(file) ? readFileSync(file, 'utf8') : await make();
    if (!existsSync(file)) {
      writeFileSync(`${file}.new`, made);
      renameSync(`${file}.new`, file);
    }
    known.set(key, toLatin1(made));
    return toLatin1(made);
  };
}

export interface Finished {
  readonly html: string;
  /** Names of script files that the page mentions. */
  readonly scriptFiles: readonly string[];
}

/** @throws where a page would hold two copies of one store */
export function createPageScripts({ graph, guard, moved, ...folders }: PageScriptsOptions) {
  const namesOfCode = new Map<string, readonly string[]>();
  const once = remembering(folders.to);

  async function withIslands(page: string, html: string, scripts: readonly string[]): Promise<string> {
    const islands = islandsOf(page, html);
    const made = await once([page, islands, scripts], async () =>
      JSON.stringify(await bundleIslands(page, islands, scripts, graph, folders)),
    );
    return withBundle(html, v.parse(Files, JSON.parse(made)), folders.base, toLatin1(guard));
  }

  async function codeOf(page: string, scripts: readonly string[]): Promise<string> {
    return once(scripts, async () => {
      refuseSecondCopies(page, closure(scripts, graph), graph);
      return bundleScripts(scripts, folders.from, folders.base, moved);
    });
  }

  return {
    /** The page as it is published, both as bytes (latin1.ts). `page` names it without an ending, such as `cart`. */
    async finish(page: string, whole: string): Promise<Finished> {
      const { html, scripts } = takeModuleScripts(whole);
      if (scripts.length === 0) return { html: whole, scriptFiles: [] };
      if (html.includes('<astro-island')) {
        const finished = await withIslands(page, html, scripts);
        return { html: finished, scriptFiles: scriptNamesIn(finished) };
      }
      const code = await codeOf(page, scripts);
      // The code is looked through once, not in each of ten thousand pages.
      const named = namesOfCode.get(code) ?? scriptNamesIn(code);
      namesOfCode.set(code, named);
      return {
        html: atEndOfBody(html, `<script type="module">${code}</script>`),
        scriptFiles: [...new Set([...scriptNamesIn(html), ...named])],
      };
    },
  };
}
