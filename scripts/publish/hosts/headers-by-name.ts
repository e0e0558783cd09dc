import type { Hosting } from '#scripts/publish/hosting.ts';

/** The values of each header that differs from file to file, keyed by name. */
export function headersByName({ rules, notFound }: Hosting): Map<string, [files: string, value: string][]> {
  const found = new Map<string, [string, string][]>();
  const add = (name: string, files: string, value: string): void => {
    const list = found.get(name) ?? [];
    found.set(name, [...list, [files, value]]);
  };
  for (const { files, headers } of rules) {
    for (const file of files) for (const [name, value] of Object.entries(headers)) add(name, file, value);
  }
  for (const [name, value] of Object.entries(notFound)) add(name, '404.html', value);
  return found;
}
