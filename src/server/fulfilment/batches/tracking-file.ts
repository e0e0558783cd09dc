import { storedCarrier } from '#domain/carrier.ts';
import { foldText } from '#domain/fold-text.ts';
import { orderIdIn, parseOrderNumber } from '#domain/order-number.ts';
import { phoneNumber } from '#domain/phone.ts';
import { plural, tidyCode } from '#domain/text.ts';
import { CsvError, type CsvRow, readCsv, SEPARATORS } from '#server/admin/csv.ts';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { OPEN, ORDER, ORDER_JSON, type StoredOrder } from '#server/orders/stored-orders.ts';
import type { Batch, TrackedOrder } from './stored-batches.ts';

/** The rows with tracking numbers that one file may have, and all its rows. */
export const MAX_NUMBERS = 1_000;
const MAX_ROWS = 20_000;

/**
 * What each column may be called, in lower case and without signs, the surest names first. To read another name, add it
 * here. `not` is what the heading of another column says.
 */
const HEADS = {
  tracking: {
    names: [
      'awb|(?:air ?)?way ?bill|tracking|consignment|docket|lrn?|cn|pod|ट्रैकिंग',
      'article|barcode|(?:courier|carrier|parcel|shipment|shipping|label) (?:no|number|id|code)',
      // Beside a column for the order. In the shop's own file it is the order's.
      '^(?:no|number)$',
    ],
    not: 'company|partner|provider|name|service',
  },
  order: { names: ['^order|^ऑर्डर', 'order', '^(?:no|number)$'], not: '' },
  reference: { names: ['ref|reference|invoice'], not: '' },
  phone: {
    names: ['phone|mobile|mob|cell|whatsapp|tel|telephone|contact|फ.?ोन|मोबाइल'],
    not: 'pick ?up|seller|shipper|sender|vendor|warehouse|return|alternate|name|person',
  },
  carrier: {
    names: [
      'courier|carrier|transporter|logistics|provider|(?:tracking|shipping|delivery) (?:company|partner)|shipped (?:by|via)|कूरियर',
    ],
    not: 'no|number|id|code|phone',
  },
  status: { names: ['status$'], not: 'payment' },
} as const;

type Column = keyof typeof HEADS;

/** The place of each column that the file has, from 0. */
type Columns = Readonly<Partial<Record<Column, number>>>;

const OTHERS =
  'url|link|date|time|days?|amount|charges?|cost|weight|value|total|items?|qty|type|mode|method|e?mail|remarks?|notes?$';

const says = (name: string, words: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${words})(?:no|num|number|id|code|s)?(?![\p{L}\p{M}])`, 'u').test(
    name,
  );

function columnsOf(cells: readonly string[]): Columns {
  // OrderNo is two words.
  const heads = cells.map((cell) =>
    foldText(cell.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  );
  const places = new Map<string, number>();
  for (const [column, { names, not }] of Object.entries(HEADS)) {
    const others = [OTHERS, not, column === 'status' ? '' : 'status'].filter(Boolean).join('|');
    const fits = (words: string) =>
      heads.findIndex(
        (text, place) => says(text, words) && !says(text, others) && ![...places.values()].includes(place),
      );
    const found = names.map(fits).find((place) => place >= 0);
    if (found !== undefined) places.set(column, found);
  }
  return Object.fromEntries(places);
}

const isHead = ({ tracking, order, reference, phone }: Columns): boolean =>
  tracking !== undefined && (order ?? reference ?? phone) !== undefined;

/** Without headings, the columns are in this order. */
const PASTED: Columns = { order: 0, tracking: 1, carrier: 2 };

/** Reports and spreadsheets have titles above their headings. */
const ROWS_ABOVE = 15;

/** An order, a phone number, or neither: 'FF-1042', '98765 43210'. */
const isNaming = (text: string): boolean =>
  (orderIdIn(text) ?? parseOrderNumber(text) ?? phoneNumber(text)) !== undefined;

/** Excel writes `="0012"` to keep zeros; other programs write numbers with `.0`; an apostrophe marks a text. */
const bare = (cell: string): string =>
  tidyCode(cell)
    .replace(/^="?([^"]*)"?$/, '$1')
    .replace(/^'/, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .trim();

export interface FileRow extends Readonly<Record<Column, string>> {
  readonly line: number;
}

/** @throws CsvError for too many */
function toRows(rows: readonly CsvRow[], columns: Columns): FileRow[] {
  const read = rows.map(({ line, cells }) => {
    const cell = (column: Column): string => bare(cells[columns[column] ?? -1] ?? '');
    return {
      line,
      order: cell('order'),
      reference: cell('reference'),
      phone: cell('phone'),
      status: cell('status'),
      tracking: cell('tracking').replaceAll(' ', ''),
      carrier: storedCarrier(cell('carrier').slice(0, 60)),
    };
  });
  const numbers = read.filter(({ tracking }) => tracking !== '').length;
  if (rows.length > MAX_ROWS || numbers > MAX_NUMBERS)
    throw new CsvError(1, `It has more than ${MAX_NUMBERS} numbers. Send it in parts.`);
  return read;
}

/**
 * Reads the rows of a carrier's file, or of what was pasted from it.
 * @throws CsvError if no column with orders or phones, or none with tracking numbers, is found
 */
export async function readTrackingFile(given: string): Promise<FileRow[]> {
  // Excel's line for the separator. An empty line keeps the numbers of the others.
  const text = given.replace(/^\uFEFF?"?sep=.{1,2}(?=[\r\n])/i, '');
  const read: CsvRow[][] = [];
  let failure: CsvError | undefined;
  for (const separator of SEPARATORS) {
    const rows = await readCsv(text, MAX_ROWS + ROWS_ABOVE + 1, undefined, separator).catch(
      (error: unknown) => {
        if (!(error instanceof CsvError)) throw error;
        failure ??= error;
        return [];
      },
    );
    const at = rows.slice(0, ROWS_ABOVE).findIndex(({ cells }) => isHead(columnsOf(cells)));
    if (at >= 0) return toRows(rows.slice(at + 1), columnsOf(rows[at]?.cells ?? []));
    if (rows.length > 0) read.push(rows);
  }
  const pasted = read
    .map((rows) =>
      rows.map((row) =>
        row.cells.length > 1 ? row : { ...row, cells: row.cells[0]?.trim().split(/\s+/) ?? [] },
      ),
    )
    .find(([first]) => isNaming(bare(first?.cells[0] ?? '')) && /\d/.test(first?.cells[1] ?? ''));
  if (pasted) return toRows(pasted, PASTED);
  const [first] = read[0] ?? [];
  throw (
    (read.length === 0 && failure) ||
    new CsvError(
      1,
      `It needs a column with the order or the phone number, and one with the tracking number. Its first line is: ${(first?.cells.join(', ') ?? '').slice(0, 200) || 'empty'}`,
    )
  );
}

/** What a spreadsheet made of a long number. Its other digits are lost. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** Spreadsheets keep 15 digits. */
const ROUNDED = /^\d{15}0{3,}$/;

/** What a spreadsheet made of 1-2. */
const DATE = /^\d{1,2}[-/](?:\d{1,2}|[a-z]{3})(?:[-/]\d{2,4})?$/i;

/** What a carrier says of parcels that do not leave. */
const NOT_SENT = /cancel|^rto|return/i;

function trackingProblem(tracking: string): string | undefined {
  if (SHORTENED.test(tracking) || ROUNDED.test(tracking))
    return `The spreadsheet has cut digits of ${tracking}. Download the file again, and upload it without opening it.`;
  if (
    tracking.length > 60 ||
    DATE.test(tracking) ||
    !/[1-9]/.test(tracking) ||
    !/^[\p{L}\p{N}][\p{L}\p{N}/_.-]*$/u.test(tracking)
  )
    return `“${tracking.slice(0, 60)}” is no tracking number.`;
  return undefined;
}

const SHIPPABLE = STAFF_STATUSES.processing.code;

/** The newest orders of a phone number that are looked at. */
const MAX_OF_PHONE = 50;

/** Returns the order that a cell names by its number or id, or undefined. */
async function numbered(db: Reader, text: string): Promise<StoredOrder | undefined> {
  const id = orderIdIn(text);
  if (id) return db.row(ORDER.where('id', '=', id), ORDER_JSON);
  const given = parseOrderNumber(text);
  if (!given) return undefined;
  const named = ORDER.where('number', '=', given.count);
  return db.row(given.suffix ? named.where('suffix', '=', given.suffix) : named, ORDER_JSON);
}

/** Returns the order of a phone number that the parcel is for, or why that is not clear. */
async function ofPhone(db: Reader, phone: string, tracking: string): Promise<StoredOrder | string> {
  if (SHORTENED.test(phone)) return `The spreadsheet has cut digits of the phone number ${phone}.`;
  const digits = phoneNumber(phone)?.slice(-10);
  if (!digits) return `“${phone}” names no order.`;
  const newest = ORDER.where('phone', '=', digits).orderBy('number', 'desc').limit(MAX_OF_PHONE);
  const orders = await db.rows(newest, ORDER_JSON);
  const withNumber = orders.find((order) => order.tracking === tracking);
  if (withNumber) return withNumber;
  const open = orders.filter(({ status }) => OPEN.some((code) => code === status));
  const paid = open.filter(({ status }) => status === SHIPPABLE);
  const toShip = paid.length > 0 ? paid : open;
  const left = orders.filter(({ status, tracking: own }) => status === STAFF_STATUSES.shipped.code && !own);
  const meant = toShip.length > 0 ? toShip : left;
  if (meant.length > 1)
    return `Several orders of ${phone} are open: ${meant.map(({ shownNumber }) => shownNumber).join(', ')}. Name one of them.`;
  return meant[0] ?? orders[0] ?? `There is no order of ${phone}.`;
}

async function orderOf(db: Reader, row: FileRow): Promise<StoredOrder | string> {
  const { order, reference, phone, tracking } = row;
  if (order) {
    const found = await numbered(db, order);
    return found ?? (phoneNumber(order) ? ofPhone(db, order, tracking) : `There is no order ${order}.`);
  }
  const found = reference ? await numbered(db, reference) : undefined;
  if (found) return found;
  if (phone) return ofPhone(db, phone, tracking);
  return reference ? `There is no order ${reference}.` : 'It names no order.';
}

const ordersOf = (db: Reader, row: FileRow): Promise<(StoredOrder | string)[]> =>
  Promise.all(row.order.split(/[,;&]/).map((order) => orderOf(db, { ...row, order: order.trim() })));

interface Numbers {
  readonly orders: readonly TrackedOrder[];
  /** The lines that are not used. */
  readonly problems: Batch['problems'];
}

/** Finds the orders of a file. Lines that say the same twice count once. @param carrier of lines that name none */
export async function matchOrders(db: Reader, rows: readonly FileRow[], carrier: string): Promise<Numbers> {
  const problems: { line: number; reason: string }[] = [];
  const found: { line: number; order: StoredOrder; tracking: string; carrier: string }[] = [];
  const empty = rows.filter(({ tracking }) => tracking === '');
  const [first] = empty;
  if (first)
    problems.push({ line: first.line, reason: `${plural(empty.length, 'line')} without a tracking number.` });
  for (const row of rows) {
    const { line, tracking, status } = row;
    if (tracking === '') continue;
    const problem = NOT_SENT.test(status) ? `The file says: ${status}.` : trackingProblem(tracking);
    // Two orders may be in one parcel.
    for (const order of problem ? [problem] : await ordersOf(db, row))
      if (typeof order === 'string') problems.push({ line, reason: order });
      else if (order.shownNumber === tracking)
        problems.push({ line, reason: `${tracking} is the number of the order, not of its parcel.` });
      else found.push({ line, order, tracking, carrier: row.carrier || carrier });
  }
  const byOrder = Map.groupBy(found, ({ order }) => order.number);
  const byTracking = Map.groupBy(found, ({ tracking }) => tracking);
  const orders: TrackedOrder[] = [];
  for (const [own, ...others] of byOrder.values()) {
    if (!own) continue;
    const { line, order, tracking } = own;
    const twice = others.find((one) => one.tracking !== tracking);
    const stranger = byTracking.get(tracking)?.find((one) => one.order.address.phone !== order.address.phone);
    const problem = twice
      ? `Order ${order.shownNumber} is in the file twice, with ${tracking} and, in line ${twice.line}, with ${twice.tracking}.`
      : stranger &&
        `${tracking} is also the number of order ${stranger.order.shownNumber} in line ${stranger.line}, which goes to another phone number.`;
    if (problem) problems.push({ line, reason: problem });
    else orders.push({ number: order.number, tracking, carrier: own.carrier });
  }
  return { orders, problems: problems.toSorted((one, next) => one.line - next.line) };
}
