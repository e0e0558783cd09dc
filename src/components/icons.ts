import { icons } from '@iconify-json/lucide';

/** The CSS class `icon` sets these attributes for all icons. */
const SHARED_ATTRIBUTES =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

const bodies = new Map<string, string>();

/** Returns the content of a Lucide icon's <svg>. Throws for an unknown name, which fails the build. */
export function iconBody(name: string): string {
  const cached = bodies.get(name);
  if (cached !== undefined) return cached;
  const alias = icons.aliases?.[name]?.parent;
  const body = icons.icons[alias ?? name]?.body;
  if (body === undefined) throw new Error(`There is no Lucide icon '${name}'.`);
  const content = body.replace(SHARED_ATTRIBUTES, '').replace(/^<g>(.*)<\/g>$/, '$1');
  bodies.set(name, content);
  return content;
}
