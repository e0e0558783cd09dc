import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ASSETS } from '#scripts/publish/site/hosting.ts';
import { type Files, hashOf } from './manifest.ts';

/** The suffixes of a file and its compressed forms: '' for the file itself. */
export type Forms = readonly ['', ...string[]];

export const ALL_FORMS: Forms = ['', '.br', '.gz', '.dcz'];

interface LinkedSite {
  readonly site: string;
  readonly files: Files;
}

function linkForms(from: string, to: string, forms: Forms): void {
  mkdirSync(dirname(to), { recursive: true });
  for (const form of forms) {
    if (!existsSync(from + form)) continue;
    rmSync(to + form, { force: true });
    linkSync(from + form, to + form);
  }
}

/**
 * Replaces each file that has the same bytes in the release before, and its compressed forms, by hard links to it. So its
 * time stays, and with it the ETag that nginx and Caddy make of time and size: browsers and CDNs fetch only what changed.
 */
export async function linkEqualFiles(now: LinkedSite, before: LinkedSite, forms: Forms): Promise<void> {
  for (const [name, { hash }] of Object.entries(now.files)) {
    if (before.files[name]?.hash !== hash) continue;
    const old = join(before.site, name);
    // Someone may have edited the file since.
    const content = await readFile(old).catch(() => undefined);
    if (content && hashOf(content) === hash) linkForms(old, join(now.site, name), forms);
  }
}

/** Adds the hashed assets of another release, for pages that visitors still have open. */
export function linkAssets(site: string, other: LinkedSite, forms: Forms): void {
  for (const name of Object.keys(other.files)) {
    if (!name.startsWith(ASSETS) || existsSync(join(site, name))) continue;
    linkForms(join(other.site, name), join(site, name), forms);
  }
}
