import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import type { ownerOf } from '#server/process/permissions.ts';
import type { Services } from '#server/services/services.ts';
import type { Environment } from '#server/settings/parse.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { StoreInfo } from '#server/store/schema.ts';
import { storedStore } from '#server/store/stored-store.ts';

export interface Certificate {
  /** In ms since 1970. */
  readonly until: number;
  /** Why browsers refuse it, such as CERT_HAS_EXPIRED; undefined if they do not. */
  readonly refusal: string | undefined;
}

/** What the checks of a running shop examine. */
export interface RunningFacts {
  readonly env: Environment;
  /** undefined if they are invalid */
  readonly settings: Settings | undefined;
  /** undefined if the database cannot be read */
  readonly shop:
    | {
        readonly db: Reader;
        readonly store: StoreInfo;
      }
    | undefined;
  /** Only in a running API. */
  readonly services?: Services;
  /** ms since 1970 */
  readonly now: number;
  /** Free bytes on the disk of a folder, the uid of a file's owner, and a certificate. Only tests set them. */
  readonly freeBytes?: (folder: string) => number;
  readonly ownerOf?: typeof ownerOf;
  readonly certificateOf?: (origin: string, now: number) => Promise<Certificate | undefined>;
}

/** What all checks examine. */
export interface Facts extends RunningFacts {
  /** `products`: only those on sale */
  readonly shop:
    | (NonNullable<RunningFacts['shop']> & { readonly products: readonly CatalogueProduct[] })
    | undefined;
}

/** Returns undefined if the database has no catalogue. */
export async function shopFacts(db: Reader): Promise<Facts['shop']> {
  const [store, stored] = await Promise.all([storedStore(db), storedProducts(db)]);
  const products = stored.filter(({ isDiscontinued }) => !isDiscontinued).map(({ product }) => product);
  return store && { db, store, products };
}

/** `blocks`: the shop must not open. `warns`: it should not. */
export type Severity = 'blocks' | 'warns';

export interface Problem {
  /** In a sentence. */
  readonly problem: string;
  /** In ms since 1970; by default when it was first found. */
  readonly since?: number | undefined;
  /** What waits until it is resolved, such as 12 and 'email'. */
  readonly waiting?: readonly [count: number, noun: string];
}

type Found = string | Problem | false | undefined;

export interface Check<F = Facts> {
  readonly name: string;
  /** By default it blocks. */
  readonly severity?: Severity;
  /** What to do about it, in a sentence. */
  readonly todo: string;
  /** The admin page to do it on, such as `/store`; absent if it is done on the machine. */
  readonly page?: `/${string}`;
  /** Returns what is wrong, or nothing. */
  readonly find: (facts: F) => Found | Promise<Found>;
}

export interface Finding extends Pick<Check, 'name' | 'todo' | 'page'>, Problem {
  readonly severity: Severity;
}

/**
 * Runs the checks in parallel. Blocking findings come first. A check that throws becomes a finding, unless the database
 * could not be read, which has a check of its own.
 */
export async function findingsOf<F>(checks: readonly Check<F>[], facts: F): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ find, severity = 'blocks', ...check }): Promise<Finding | undefined> => {
      try {
        const found = await find(facts);
        if (!found) return undefined;
        return { ...check, severity, ...(typeof found === 'string' ? { problem: found } : found) };
      } catch (error) {
        if (error instanceof StorageError) return undefined;
        const reason = error instanceof Error ? error.message : String(error);
        return { ...check, severity, problem: `This could not be checked: ${reason}` };
      }
    }),
  );
  return found
    .filter((finding) => finding !== undefined)
    .sort((a, b) => Number(b.severity === 'blocks') - Number(a.severity === 'blocks'));
}
