import * as v from 'valibot';
import { change } from '#server/admin/change.ts';
import { CsvError } from '#server/admin/csv.ts';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { batchPath, ORDERS, TRACKING_FILE } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { TRACKING, trackingForm } from '#server/fulfilment/admin/order-actions.tsx';
import { spreadsheetText } from '#server/http/sent-values.ts';
import type { Services } from '#server/services/services.ts';
import { createTrackingBatch } from './stored-batches.ts';
import { MAX_NUMBERS, matchOrders, readTrackingFile } from './tracking-file.ts';

/** In bytes: the shop's own file of many orders. */
const MAX_FORM_BYTES = 8 * 1_024 * 1_024;

const numbersForm = defineForm(
  v.object({ file: v.optional(v.instance(File)), rows: v.string(), carrier: TRACKING.carrier }),
  {
    file: {
      label: 'A CSV file',
      hint: 'From the carrier, or the orders as CSV with the numbers filled in.',
      control: 'file',
      accept: '.csv,.txt,.tsv,text/csv,text/plain',
      isOptional: true,
    },
    rows: {
      label: 'Or paste rows',
      hint: 'Without headings: the order, the tracking number and, if you like, the carrier.',
      control: 'textarea',
      isOptional: true,
    },
    carrier: { ...trackingForm.fields.carrier, hint: 'For the rows without one.' },
  },
);

const showUpload = (context: AdminContext, state: FormState = {}) =>
  showForm(context, {
    title: 'Tracking numbers',
    intro: (
      <p>
        The orders of the file become Shipped, and each customer gets one email with the number. You see first
        what will happen. The first line of the file names its columns, in any words: the order or the phone
        number, the tracking number (AWB, waybill, consignment), and the carrier. A file may have{' '}
        {MAX_NUMBERS} numbers.
      </p>
    ),
    fields: numbersForm.fields,
    action: TRACKING_FILE,
    submit: 'Show what would happen',
    back: ORDERS,
    ...state,
  });

const NO_TEXT = 'This is an Excel workbook or another kind of file. Save it as CSV, or paste its rows below';

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(numbersForm, context.get('form'));
  if (!parsed.isValid) return showUpload(context, parsed);
  const { values, output } = parsed;
  const { file, rows, carrier } = output;
  const refuse = (message: string) =>
    showUpload(context, { values, errors: new Map([[file ? 'file' : 'rows', message]]) });
  const given = file ? spreadsheetText(new Uint8Array(await file.arrayBuffer())) : rows;
  if (given === undefined) return refuse(NO_TEXT);
  if (given.trim() === '') return refuse('Choose a file, or paste its rows');
  const read = await readTrackingFile(given).catch((error: unknown) => {
    if (error instanceof CsvError) return error;
    throw error;
  });
  if (read instanceof CsvError) return refuse(`Line ${read.line}: ${read.message}`);
  const { orders, problems } = await matchOrders(services.db, read, carrier);
  return change(context, services, async (transaction) => {
    const batch = { action: 'ship', staff: staffOf(context), now: services.clock(), problems };
    return { to: batchPath(await createTrackingBatch(transaction, batch, orders)), message: '' };
  });
}

const access = 'orders.write';

export const TRACKING_FILE_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/batches/numbers', access, handle: (context) => showUpload(context) },
  { method: 'POST', path: '/orders/batches/numbers', access, handle: preview, maxFormBytes: MAX_FORM_BYTES },
];
