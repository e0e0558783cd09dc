import { formatRupees } from '#domain/money.ts';
import type { Differences } from '#server/process/publishing.ts';
import type { Manifest } from './manifest.ts';

type Products = Manifest['products'];

type ProductChanges = Pick<Differences, 'added' | 'removed' | 'repriced' | 'edited'>;

type Named = Differences['added'][number];
type Repriced = Differences['repriced'][number];

export interface Changes extends ProductChanges {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly pagesWritten: number;
}

const MAX_LISTED = 20;

const count = (number: number, one: string): string =>
  `${number.toLocaleString('en-IN')} ${number === 1 ? one : `${one}s`}`;

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

/** Returns a summary for the staff. */
export const summaryOf = (changes: Changes): string[] => [
  ...list('Added', changes.added),
  ...list('Removed', changes.removed),
  ...list('Repriced', changes.repriced, ({ from, to }) => `: ${formatRupees(from)} → ${formatRupees(to)}`),
  ...list('Edited', changes.edited),
  `${count(changes.pagesWritten, 'page')} written, ${count(changes.written.length, 'file')} changed, ${count(changes.deleted.length, 'file')} no longer there.`,
];

export function changesOfProducts(before: Products, after: Products): ProductChanges {
  const [added, repriced, edited]: [Named[], Repriced[], Named[]] = [[], [], []];
  // A map, because a product's id may be the name of an inherited property, such as `toString`.
  const rest = new Map(Object.entries(before));
  for (const [id, { name, price, hash }] of Object.entries(after)) {
    const old = rest.get(id);
    rest.delete(id);
    if (!old) added.push({ id, name });
    else if (old.price !== price) repriced.push({ id, name, from: old.price, to: price });
    else if (old.hash !== hash) edited.push({ id, name });
  }
  const removed = [...rest].map(([id, { name }]) => ({ id, name }));
  return { added, removed, repriced, edited };
}

/** Without an earlier release everything is new. */
export function changesBetween(
  before: Pick<Manifest, 'products' | 'files'> | undefined,
  after: Pick<Manifest, 'products' | 'files'>,
): Changes {
  const old = before?.files ?? {};
  const written = Object.keys(after.files).filter((file) => old[file] !== after.files[file]);
  return {
    ...changesOfProducts(before?.products ?? {}, after.products),
    written,
    deleted: Object.keys(old).filter((file) => !after.files[file]),
    pagesWritten: written.filter((file) => file.endsWith('.html')).length,
  };
}

export const isUnchanged = ({ written, deleted }: Changes): boolean => written.length + deleted.length === 0;
