import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import type { Environment } from '#server/settings/parse.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { StoreInfo } from '#server/store/schema.ts';
import { storedStore } from '#server/store/stored-store.ts';

/** What the checks look at. */
export interface Facts {
  readonly env: Environment;
  /** undefined where they cannot be used */
  readonly settings: Settings | undefined;
  /** undefined where the database cannot be read */
  readonly shop:
    | {
        readonly db: Reader;
        readonly store: StoreInfo;
        /** Those that are on sale. */
        readonly products: readonly CatalogueProduct[];
      }
    | undefined;
  /** ms since 1970 */
  readonly now: number;
  /** How many bytes are free on the disk of a folder. Only a test gives it. */
  readonly freeBytes?: (folder: string) => number;
}

/** undefined as long as the database has no catalogue */
export async function shopFacts(db: Reader): Promise<Facts['shop']> {
  const [store, stored] = await Promise.all([storedStore(db), storedProducts(db)]);
  const products = stored.filter(({ isDiscontinued }) => !isDiscontinued).map(({ product }) => product);
  return store && { db, store, products };
}

/** Whether the shop may not open with it, or should not. */
export type Severity = 'blocks' | 'warns';

type Found = string | false | undefined;

export interface Check {
  readonly name: string;
  readonly severity: Severity;
  /** What to do about it, in a sentence. */
  readonly todo: string;
  /** The page of the admin where it is done, such as `/store`; absent where it is done on the machine. */
  readonly page?: `/${string}`;
  /** What is wrong, in a sentence; nothing where all is well. */
  readonly find: (facts: Facts) => Found | Promise<Found>;
}

export interface Finding extends Pick<Check, 'name' | 'severity' | 'todo' | 'page'> {
  readonly problem: string;
}

/** Runs the checks side by side. What blocks comes first. A check that fails says so itself. */
export async function findingsOf(checks: readonly Check[], facts: Facts): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, severity, todo, page, find }): Promise<Finding | undefined> => {
      const about = { name, severity, todo, ...(page ? { page } : {}) };
      try {
        const problem = await find(facts);
        return problem ? { ...about, problem } : undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { ...about, problem: `This could not be looked at: ${reason}` };
      }
    }),
  );
  return found
    .filter((finding) => finding !== undefined)
    .sort((a, b) => Number(b.severity === 'blocks') - Number(a.severity === 'blocks'));
}
