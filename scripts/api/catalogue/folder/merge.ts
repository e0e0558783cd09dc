/** The parts of a catalogue by their names, such as `products/ID` or `store.json/companyPhone`, each as a text. */
export type Parts = ReadonlyMap<string, string>;

/** What was last imported, what is on sale, and what the folder holds. */
export interface Sides<T> {
  readonly imported: T;
  readonly database: T;
  readonly folder: T;
}

export type Side = 'folder' | 'database';

/** Whose value is taken where both have changed; undefined for nobody's. */
export type Take = (name: string) => Side | undefined;

/** A part that has changed on both sides since the last import, to different values. undefined: it is not there. */
export interface Conflict extends Sides<string | undefined> {
  readonly name: string;
}

/** Returns the side whose value stays, or undefined for a conflict. */
function decide({ imported, database, folder }: Sides<string | undefined>): Side | undefined {
  if (folder === imported || folder === database) return 'database';
  return database === imported ? 'folder' : undefined;
}

/** Merges two sides that have both begun with what was imported. A change of one side alone is taken. */
export function mergeParts(
  sides: Sides<Parts>,
  take: Take,
): { readonly merged: Parts; readonly conflicts: readonly Conflict[] } {
  const merged = new Map<string, string>();
  const conflicts: Conflict[] = [];
  for (const name of new Set([...sides.database.keys(), ...sides.folder.keys()])) {
    const values = {
      imported: sides.imported.get(name),
      database: sides.database.get(name),
      folder: sides.folder.get(name),
    };
    const side = decide(values) ?? take(name);
    if (side === undefined) conflicts.push({ name, ...values });
    const value = side && values[side];
    if (value !== undefined) merged.set(name, value);
  }
  return { merged, conflicts };
}

/** Puts the ids that only `other` has behind the ones that they follow there. */
function insertMissing(order: readonly string[], other: readonly string[]): string[] {
  const known = new Set(order);
  const following = new Map<string | undefined, string[]>();
  let previous: string | undefined;
  for (const id of other) {
    const group = following.get(previous);
    if (known.has(id)) previous = id;
    else if (group) group.push(id);
    else following.set(previous, [id]);
  }
  return [undefined, ...order].flatMap((id) => [
    ...(id === undefined ? [] : [id]),
    ...(following.get(id) ?? []),
  ]);
}

export const ORDER = 'order';

/**
 * Merges the orders of products. Each side's own products stay behind the ones that they followed.
 * @param ids the products of the merged catalogue
 */
export function mergeOrder(
  { imported, database, folder }: Sides<readonly string[]>,
  ids: ReadonlySet<string>,
  take: Take,
): { readonly order: readonly string[]; readonly conflict: Conflict | undefined } {
  const inFolder = new Set(folder);
  const inDatabase = new Set(database);
  const wasImported = new Set(imported);
  const ofAll = (order: readonly string[]): string =>
    order.filter((id) => inFolder.has(id) && inDatabase.has(id) && wasImported.has(id)).join('\n');
  const values = { imported: ofAll(imported), database: ofAll(database), folder: ofAll(folder) };
  const side = decide(values) ?? take(ORDER);
  const [first, second] = side === 'folder' ? [folder, database] : [database, folder];
  const present = (order: readonly string[]): string[] => order.filter((id) => ids.has(id));
  return {
    order: insertMissing(present(first), present(second)),
    conflict: side === undefined ? { name: ORDER, ...values } : undefined,
  };
}
