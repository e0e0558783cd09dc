import { formatRupees } from '#domain/money.ts';
import type { Changes, Named } from './changes.ts';

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
