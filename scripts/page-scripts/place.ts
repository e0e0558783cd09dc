import * as v from 'valibot';

/** Where a part that is loaded later is found by now, and what its exports are called there if not the same. */
export const Place = v.object({ file: v.string(), names: v.record(v.string(), v.string()) });

export type Place = v.InferOutput<typeof Place>;

/** `import"…"` any number of times, then perhaps one `export{a as b}from"…"`, and nothing else. */
const FACADE = /^(?:import\s*["'][^"']*["'];?\s*)*(?:export\s*\{([^}]*)\}\s*from\s*["'][^"']*["'];?)?$/;

/**
 * The names in the other file by the names here, of a module that only passes another's exports on; none where it has
 * no exports. @throws where its code does more
 */
export function reexports(code: string): Record<string, string> {
  const facade = FACADE.exec(code.trim());
  if (!facade)
    throw new Error(`This should only pass on the exports of one other file: ${code.trim().slice(0, 200)}`);
  const names = (facade[1] ?? '').split(',').filter((each) => each.trim() !== '');
  return Object.fromEntries(
    names.map((each) => {
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
