import { formatRupees } from '#domain/money.ts';
import type { Differences } from '#scripts/program/publishing.ts';
import type { Files, Manifest } from './manifest.ts';

const MAX_LISTED = 20;

const KIB = 1024;

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-IN')} ${number === 1 ? one : many}`;

export const sizeText = (bytes: number): string => {
  if (bytes < KIB) return `${bytes} bytes`;
  return bytes < KIB * KIB ? `${(bytes / KIB).toFixed(1)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
};

function list<Item extends Named>(
  title: string,
  items: readonly Item[],
  detail: (item: Item) => string = () => '',
): string[] {
  if (items.length === 0) return [];
  const rest = items.length - MAX_LISTED;
  return [
    `${title} (${items.length.toLocaleString('en-IN')}):`,
    ...items.slice(0, MAX_LISTED).map((item) => `  ${item.name}${detail(item)}`),
    ...(rest > 0 ? [`  and ${rest.toLocaleString('en-IN')} more`] : []),
  ];
}

/** The lines that tell people what a release changes. */
export function summaryOf(changes: Changes): string[] {
  return [
    ...list('Added', changes.added),
    ...list('Removed', changes.removed),
    ...list('Repriced', changes.repriced, ({ from, to }) => `: ${formatRupees(from)} → ${formatRupees(to)}`),
    ...list('Edited', changes.edited),
    `${count(changes.pagesWritten, 'page')} written, ${count(changes.written.length, 'file')} or ${sizeText(changes.bytesToUpload)} to upload, ${count(changes.deleted.length, 'file')} no longer there.`,
  ];
}

type Products = Manifest['products'];

/** The difference between the products of two catalogues. */
export type ProductChanges = Pick<Differences, 'added' | 'removed' | 'repriced' | 'edited'>;

export type Named = Differences['added'][number];

/** The difference between a release and the one before. */
export interface Changes extends ProductChanges {
  /** The paths of files that are new or changed. */
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly pagesWritten: number;
  readonly bytesToUpload: number;
}

const named = (products: Products, ids: readonly string[]): Named[] =>
  ids.map((id) => ({ id, name: products[id]?.name ?? id }));

/** A product's id may be the name of an inherited property, such as `toString`. */
const productOf = (products: Products, id: string): Products[string] | undefined =>
  Object.hasOwn(products, id) ? products[id] : undefined;

export function changesOfProducts(before: Products, after: Products): ProductChanges {
  const ids = Object.keys(after);
  const kept = ids.flatMap((id) => {
    const [old, now] = [productOf(before, id), productOf(after, id)];
    return old && now
      ? [{ id, name: now.name, from: old.price, to: now.price, same: old.hash === now.hash }]
      : [];
  });
  const isRepriced = ({ from, to }: { from: number; to: number }): boolean => from !== to;
  return {
    added: named(
      after,
      ids.filter((id) => !productOf(before, id)),
    ),
    removed: named(
      before,
      Object.keys(before).filter((id) => !productOf(after, id)),
    ),
    repriced: kept.filter(isRepriced).map(({ id, name, from, to }) => ({ id, name, from, to })),
    edited: kept
      .filter((product) => !product.same && !isRepriced(product))
      .map(({ id, name }) => ({ id, name })),
  };
}

const isPage = (file: string): boolean => file.endsWith('.html');

/** Compares two releases; without an earlier one everything is new. */
export function changesBetween(
  before: Pick<Manifest, 'products' | 'files'> | undefined,
  after: { readonly products: Products; readonly files: Files },
): Changes {
  const old = before?.files ?? {};
  const written = Object.keys(after.files).filter((file) => old[file]?.hash !== after.files[file]?.hash);
  return {
    ...changesOfProducts(before?.products ?? {}, after.products),
    written,
    deleted: Object.keys(old).filter((file) => !after.files[file]),
    pagesWritten: written.filter(isPage).length,
    bytesToUpload: written.reduce((sum, file) => sum + (after.files[file]?.bytes ?? 0), 0),
  };
}

export const isUnchanged = ({ written, deleted }: Changes): boolean => written.length + deleted.length === 0;
