import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { PageFacts } from '#scripts/publish/page-facts.ts';
import { decodeFacts, encodeFacts } from '#scripts/publish/site-facts.ts';
import { linkOrCopy, linkOver } from './link.ts';

/*
 * Pages that come back while their product is as it was. A page is a file named by its key, and the same file in every
 * site that shows it. The list is written when all of them stand: a build that is killed leaves the list of before, and
 * at worst files that it does not name.
 */

const LIST = 'list.json';

const Entry = v.object({ file: v.string(), bytes: v.number(), changed: v.number() });
const List = v.object({ entries: v.array(v.tuple([v.string(), Entry])), facts: v.unknown() });

type Entry = v.InferOutput<typeof Entry>;

export interface PageStore {
  /** Puts the page of this key at `target`, and gives its facts; undefined where it must be made. */
  readonly restore: (key: string, target: string) => PageFacts | undefined;
  /** Keeps the page that was just made at `target`. */
  readonly keep: (key: string, file: string, target: string, facts: PageFacts) => void;
  /** Writes the list of the pages kept or restored, and forgets the others. */
  readonly close: () => void;
}

function readList(folder: string): { entries: Map<string, Entry>; facts: ReadonlyMap<string, PageFacts> } {
  try {
    const list = v.parse(List, JSON.parse(readFileSync(join(folder, LIST), 'utf8')));
    return { entries: new Map(list.entries), facts: decodeFacts(list.facts) };
  } catch {
    return { entries: new Map(), facts: new Map() };
  }
}

/** Whole milliseconds: a copy keeps no more of a time. */
const changedAt = (file: string): { bytes: number; changed: number } | undefined => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && { bytes: stats.size, changed: Math.floor(stats.mtimeMs) };
};

export function openPageStore(folder: string, fresh: boolean): PageStore {
  mkdirSync(folder, { recursive: true });
  const known = readList(folder);
  const entries = new Map<string, Entry>();
  const facts = new Map<string, PageFacts>();
  const note = (key: string, entry: Entry, of: PageFacts): PageFacts => {
    entries.set(key, entry);
    facts.set(key, of);
    return of;
  };

  return {
    restore(key, target) {
      const [entry, before] = [known.entries.get(key), known.facts.get(key)];
      if (fresh || !entry || !before) return undefined;
      const path = join(folder, key);
      const now = changedAt(path);
      // Someone wrote into a published file, which is this one.
      if (now?.bytes !== entry.bytes || now.changed !== entry.changed) return undefined;
      linkOrCopy(path, target);
      return note(key, entry, before);
    },
    keep(key, file, target, of) {
      const path = join(folder, key);
      linkOver(target, path);
      const now = changedAt(path);
      if (now) note(key, { file, ...now }, of);
    },
    close() {
      const list = { entries: [...entries], facts: encodeFacts(facts) };
      writeFileSync(join(folder, `${LIST}.new`), JSON.stringify(list));
      renameSync(join(folder, `${LIST}.new`), join(folder, LIST));
      for (const name of readdirSync(folder)) {
        if (name !== LIST && !entries.has(name)) rmSync(join(folder, name), { force: true });
      }
    },
  };
}
