import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import type { ownerOf } from '#server/process/permissions.ts';
import type { Environment } from '#server/settings/parse.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { StoreInfo } from '#server/store/schema.ts';
import { storedStore } from '#server/store/stored-store.ts';

/** What the checks examine. */
export interface Facts {
  readonly env: Environment;
  /** undefined if they are invalid */
  readonly settings: Settings | undefined;
  /** undefined if the database cannot be read */
  readonly shop:
    | {
        readonly db: Reader;
        readonly store: StoreInfo;
        /** Only products on sale. */
        readonly products: readonly CatalogueProduct[];
      }
    | undefined;
  /** ms since 1970 */
  readonly now: number;
  /** Free bytes on the disk of a folder, and the uid of a file's owner. Only tests set them. */
  readonly freeBytes?: (folder: string) => number;
  readonly ownerOf?: typeof ownerOf;
}

/** Returns undefined if the database has no catalogue. */
export async function shopFacts(db: Reader): Promise<Facts['shop']> {
  const [store, stored] = await Promise.all([storedStore(db), storedProducts(db)]);
  const products = stored.filter(({ isDiscontinued }) => !isDiscontinued).map(({ product }) => product);
  return store && { db, store, products };
}

/** `blocks`: the shop must not open. `warns`: it should not. */
export type Severity = 'blocks' | 'warns';

type Found = string | false | undefined;

export interface Check {
  readonly name: string;
  /** By default it blocks. */
  readonly severity?: Severity;
  /** What to do about it, in a sentence. */
  readonly todo: string;
  /** The admin page to do it on, such as `/store`; absent if it is done on the machine. */
  readonly page?: `/${string}`;
  /** Returns what is wrong, in a sentence, or nothing. */
  readonly find: (facts: Facts) => Found | Promise<Found>;
}

export interface Finding extends Pick<Check, 'name' | 'todo' | 'page'> {
  readonly severity: Severity;
  readonly problem: string;
}

/** Runs the checks in parallel. Blocking findings come first. A check that throws becomes a finding. */
export async function findingsOf(checks: readonly Check[], facts: Facts): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ find, severity = 'blocks', ...check }): Promise<Finding | undefined> => {
      try {
        const problem = await find(facts);
        return problem ? { ...check, severity, problem } : undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { ...check, severity, problem: `This could not be checked: ${reason}` };
      }
    }),
  );
  return found
    .filter((finding) => finding !== undefined)
    .sort((a, b) => Number(b.severity === 'blocks') - Number(a.severity === 'blocks'));
}
