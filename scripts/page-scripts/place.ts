import * as v from 'valibot';

/** Where a part that is loaded later is found by now, and what its exports are called there if not the same. */
export const Place = v.object({ file: v.string(), names: v.record(v.string(), v.string()) });

export type Place = v.InferOutput<typeof Place>;

/** The names in the other file by the names here, of a module that is nothing but `export{a as b}from"…"`. */
export function reexports(code: string): Record<string, string> {
  const [, list = ''] = /^export\s*\{([^}]*)\}\s*from/.exec(code.trim()) ?? [];
  return Object.fromEntries(
    list.split(',').map((each) => {
      const [there = '', here = there] = each.trim().split(/\s+as\s+/);
      return [here, there];
    }),
  );
}

/** `import(address).then(part => part.name)`, as the bundler takes one thing out of a file of several. */
const TAKEN = /\bimport\(([`"'])([^`"']+)\1\)(\.then\(\(?(\w+)\)?\s*=>\s*\4\.)(\w+)\)/g;

/** The code, with what it takes out of moved parts under the names of their new files. @throws where one has no name */
export function renameTaken(code: string, places: Iterable<Place>, base: string): string {
  const byAddress = new Map([...places].map(({ file, names }) => [`${base}/${file}`, names]));
  return code.replace(TAKEN, (whole, quote: string, address: string, then: string, _part, name: string) => {
    const names = byAddress.get(address);
    if (!names || Object.keys(names).length === 0) return whole;
    const there = names[name];
    if (there === undefined) throw new Error(`${address} exports nothing for '${name}'.`);
    return `import(${quote}${address}${quote})${then}${there})`;
  });
}
