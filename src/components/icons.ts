import { icons } from '@iconify-json/lucide';

/** What `.icon` in styles.css says once for all of them. */
const SHARED =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

const bodies = new Map<string, string>();

/** The inside of a Lucide icon's svg; an unknown name fails the build. */
export function iconBody(name: string): string {
  const known = bodies.get(name);
  if (known !== undefined) return known;
  const alias = icons.aliases?.[name]?.parent;
  const body = icons.icons[alias ?? name]?.body;
  if (body === undefined) throw new Error(`There is no Lucide icon '${name}'.`);
  const own = body.replace(SHARED, '').replace(/^<g>(.*)<\/g>$/, '$1');
  bodies.set(name, own);
  return own;
}
