import fc from 'fast-check';
import * as v from 'valibot';
import { anyRow } from '#tests/server/support/rows.ts';
import { storedTables } from '#tests/server/support/stored-tables.ts';
import { type PageForm, readPage } from './admin-forms.ts';
import { bodyOf, openAdmin } from './find-forms.ts';
import { oddValue } from './values.ts';

const STACK = /\bat [\w.<>]+ \(|node:internal|\.ts:\d+|SQLITE|\/node_modules\//i;

/** The database is busy, or the program that publishes does not run. */
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503]);

/** What the admin writes besides the change itself: the log, completed forms, and sessions. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['admin_log', 'admin_forms', 'staff_sessions']);

/** An image is compared by its name and etag. */
const isShort = (column: string): boolean => column !== 'bytes';

const oddText = oddValue.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));

/** A change of one field. */
interface FieldChange {
  readonly place: number;
  readonly kind: 'value' | 'missing' | 'twice' | 'long' | 'unknown' | 'file';
  readonly value: string;
}

const fieldChange: fc.Arbitrary<FieldChange> = fc.record({
  place: fc.nat(1_000),
  kind: fc.constantFrom('value', 'value', 'value', 'missing', 'twice', 'long', 'unknown', 'file'),
  value: oddText,
});

function changed(form: PageForm, changes: readonly FieldChange[], button: number): FormData {
  const { fields, files, buttons } = form;
  const pressed = buttons[button % Math.max(1, buttons.length)];
  const all = [...fields, ...(pressed ? [pressed] : [])];
  const sent = bodyOf(form, pressed ? [pressed] : []);
  for (const { place, kind, value } of changes) {
    const [name, old] = all[place % Math.max(1, all.length)] ?? ['do', ''];
    if (kind === 'missing') sent.delete(name);
    else if (kind === 'twice') sent.append(name, value);
    else if (kind === 'long') sent.set(name, old.repeat(200).slice(0, 30_000));
    else if (kind === 'unknown') sent.append(value.slice(0, 50), value);
    else if (kind === 'file') {
      const file = new File([value.slice(0, 2_000)], value.slice(0, 50) || 'x', { type: 'image/png' });
      sent.append(files[place % Math.max(1, files.length)] ?? name, file);
    } else sent.set(name, value);
  }
  return sent;
}

/**
 * Sends changed forms of every page of the admin. No form may break it, run anything in its answer, change something
 * without a line in the log, or change anything where it is refused. Pictures are stored before a form is saved.
 * @throws Error with fast-check's shrunk counterexample
 */
export async function fuzzAdmin(options: {
  readonly seed: number;
  readonly cases: number;
  readonly path?: string | undefined;
}): Promise<{ refused: number; done: number }> {
  const api = await openAdmin();

  // Changes here must be in the log.
  const contents = [...(await storedTables(api.db))]
    .filter(([table]) => !NOT_LOGGED.has(table))
    .map(([table, columns]) => `SELECT ${columns.filter(isShort).join(', ')} FROM ${table}`);
  const state = async (): Promise<string> =>
    JSON.stringify(await Promise.all(contents.map((sql) => api.db.all(anyRow, sql))));
  const logged = async (): Promise<number> =>
    Number(
      (await api.db.get(v.object({ count: v.unknown() }), 'SELECT count(*) AS count FROM admin_log'))?.count,
    );

  let [refused, done] = [0, 0];

  async function problemsOf(
    place: number,
    changes: readonly FieldChange[],
    button: number,
  ): Promise<string[]> {
    await api.signInAgain();
    const form = await api.forms[place % api.forms.length]?.();
    // An earlier case may have deleted the form's subject.
    if (!form?.isPost) return [];
    const [before, lines, entries] = [await state(), api.lines.length, await logged()];
    const { status, text } = await api.send(form.action, changed(form, changes, button));
    const after = await state();
    if (status >= 400) refused += 1;
    else done += 1;
    const logLines = JSON.stringify(api.lines.slice(lines));
    const { dangers } = readPage(text);
    const isLogged = (await logged()) > entries;
    const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
      [status >= 500 && !UNREACHABLE.has(status), `answered ${status}: ${text.slice(0, 200)}`],
      [
        STACK.test(text) && !changes.some(({ value }) => STACK.test(value)),
        `reveals internals: ${text.slice(0, 200)}`,
      ],
      [dangers.length > 0, `can run: ${dangers.join(', ')}`],
      [status >= 400 && after !== before, `refused with ${status}, yet changed: ${before} → ${after}`],
      [
        status < 400 && after !== before && !isLogged,
        `changed without a line in the log: ${before} → ${after}`,
      ],
      [logLines.includes('unexpected error'), `logged: ${logLines.slice(0, 600)}`],
    ];
    return checks.filter(([isWrong]) => isWrong).map(([, problem]) => `${form.action}: ${problem}`);
  }

  const property = fc.asyncProperty(
    fc.nat(10_000),
    fc.array(fieldChange, { maxLength: 3 }),
    fc.nat(1_000),
    async (place, changes, button) => {
      const problems = await problemsOf(place, changes, button);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  );
  const { seed, cases, path } = options;
  await fc.assert(property, { seed, numRuns: cases, ...(path === undefined ? {} : { path }) });
  return { refused, done };
}
