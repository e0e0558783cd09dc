import fc from 'fast-check';
import * as v from 'valibot';
import { OFFICE_PAGES } from '#scripts/api/app/office-pages.ts';
import { NUMBER } from '#scripts/api/office/change.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { MANGO } from '#tests/api/support/api.ts';
import { ORIGIN, officeApi } from '#tests/api/support/office.ts';
import { anyRow } from '#tests/api/support/rows.ts';
import { storedTables } from '#tests/api/support/stored-tables.ts';
import { unlimited } from '#tests/support/limits.ts';
import { type PageForm, readPage } from './office-forms.ts';
import { oddValue } from './values.ts';

const STACK = /\bat [\w.<>]+ \(|node:internal|\.ts:\d+|SQLITE|\/node_modules\//i;

/** The database is busy, or the program that publishes does not run. */
const UNREACHABLE: ReadonlySet<number> = new Set([502, 503]);

/** What the office writes besides the change itself: the log, forms that are done, and sessions. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['office_log', 'office_forms', 'staff_sessions']);

/** A picture is told by its name and etag. */
const isShort = (column: string): boolean => column !== 'bytes';

/**
 * Forms that stand only on the answer to another form: the page of the first, and what is filled in there. A form that is
 * not found at all is made up of every name that other forms have.
 */
const SECOND_STEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${OFFICE}/catalogue/prices`]: { text: `id,regular price,sale price\n${MANGO},1000,\n` },
};

/** How many pages of one kind, such as those of products, are read for forms. */
const MOST_OF_A_KIND = 2;

const patternOf = (path: string): RegExp => new RegExp(`^${OFFICE}${path.replaceAll(/:\w+/g, '[^/]+')}$`);

const GET_PATHS = OFFICE_PAGES.filter(({ method }) => method === 'GET').map(({ path }) => path);

const kindOf = (link: string): string | undefined => GET_PATHS.find((path) => patternOf(path).test(link));

/** A form, and how to open it anew. */
interface Source {
  readonly page: string;
  readonly action: string;
  readonly isSecond: boolean;
}

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

function changed(
  { fields, files, buttons }: PageForm,
  changes: readonly FieldChange[],
  button: number,
): FormData {
  const sent = new FormData();
  const pressed = buttons[button % Math.max(1, buttons.length)];
  const all = [...fields, ...(pressed ? [pressed] : [])];
  for (const [name, value] of all) sent.append(name, name === NUMBER ? randomIds.token() : value);
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
 * Sends changed forms of every page of the office. No form may break it, run anything in its answer, change something
 * without a line in the log, or change anything where it is refused. Pictures are stored before a form is saved.
 * @throws Error with fast-check's shrunk counterexample
 */
export async function fuzzOffice(options: {
  readonly seed: number;
  readonly cases: number;
  readonly path?: string | undefined;
}): Promise<{ refused: number; done: number }> {
  const api = await officeApi({ settings: { limits: unlimited() } });
  const { token } = await api.customer();
  for (let orders = 0; orders < 5; orders += 1) await api.order(token);
  let owners = 0;
  function newOwner() {
    owners += 1;
    return api.staff('owner', `owner${owners}@example.com`);
  }
  let owner = await newOwner();
  await api.staff('packer', 'packer@example.com');

  /** Links of the office's pages, each with an id of something that is there. */
  const links = new Set([OFFICE, `${OFFICE}/sign-in`]);

  async function sources(): Promise<Source[]> {
    const found: Source[] = [];
    const kinds = new Map<string, number>();
    const add = (page: string, action: string, isSecond: boolean): void => {
      if (!found.some((source) => source.action === action)) found.push({ page, action, isSecond });
    };
    // The set grows while it is read.
    for (const page of links) {
      const parts = readPage((await owner.get(page)).text);
      for (const { action, isPost } of parts.forms) if (isPost) add(page, action, false);
      const step = SECOND_STEPS[page];
      if (step) {
        const answer = readPage((await owner.submit(page, page, step)).text);
        for (const { action } of answer.forms) add(page, action, true);
      }
      for (const link of parts.links) {
        const kind = kindOf(link);
        const count = kinds.get(kind ?? '') ?? 0;
        if (kind === undefined || links.has(link) || count >= MOST_OF_A_KIND) continue;
        kinds.set(kind, count + 1);
        links.add(link);
      }
    }
    return found;
  }

  /** An address of this path that is about something that is there, if any link leads to such a thing. */
  function addressOf(path: string): string {
    const [before = '', after] = `${OFFICE}${path}`.split(/:\w+/);
    if (after === undefined) return before;
    const link = [...links].find((known) => known.startsWith(before) && known.length > before.length);
    return before + (link?.slice(before.length).split('/')[0] ?? MANGO) + after;
  }
  const known = await sources();
  const names = [...new Set(known.map(({ action }) => action))];

  const vocabulary = new Map<string, string>();
  for (const source of known)
    for (const form of await open(source))
      for (const [name, value] of form.fields) vocabulary.set(name, value);
  const isKnown = (path: string): boolean => names.some((name) => patternOf(path).test(name));
  const unreached = OFFICE_PAGES.filter(({ method, path }) => method === 'POST' && !isKnown(path)).map(
    ({ path }): PageForm => ({
      action: addressOf(path),
      isPost: true,
      fields: [...vocabulary],
      files: ['files'],
      buttons: [['do', 'save']],
    }),
  );

  async function open({ page, action, isSecond }: Source): Promise<PageForm[]> {
    const step = isSecond ? SECOND_STEPS[page] : undefined;
    const { text } = step ? await owner.submit(page, page, step) : await owner.get(page);
    return readPage(text).forms.filter((form) => form.isPost && form.action === action);
  }

  // What changes here must stand in the log.
  const contents = [...(await storedTables(api.db))]
    .filter(([table]) => !NOT_LOGGED.has(table))
    .map(([table, columns]) => `SELECT ${columns.filter(isShort).join(', ')} FROM ${table}`);
  const state = async (): Promise<string> =>
    JSON.stringify(await Promise.all(contents.map((sql) => api.db.all(anyRow, sql))));
  const logged = async (): Promise<number> =>
    Number(
      (await api.db.get(v.object({ count: v.unknown() }), 'SELECT count(*) AS count FROM office_log'))?.count,
    );

  let [refused, done] = [0, 0];

  /** Sends the form as bytes: a body that Node makes of a form throws where nobody catches it, when its reader stops early. */
  async function send(action: string, form: FormData) {
    const sent = new Response(form);
    return owner.request(action, {
      method: 'POST',
      headers: {
        'Content-Type': sent.headers.get('content-type') ?? '',
        Origin: ORIGIN,
        'Sec-Fetch-Site': 'same-origin',
      },
      body: await sent.arrayBuffer(),
    });
  }

  async function problemsOf(
    place: number,
    changes: readonly FieldChange[],
    button: number,
  ): Promise<string[]> {
    // A form may have signed its owner out, or changed the password.
    if ((await owner.get(OFFICE)).status !== 200) owner = await newOwner();
    const source = known[place % (known.length + unreached.length)];
    const form = source
      ? (await open(source))[0]
      : unreached[(place % (known.length + unreached.length)) - known.length];
    // An earlier case may have taken away what the form was about.
    if (!form) return [];
    const [before, lines, entries] = [await state(), api.lines.length, await logged()];
    const { status, text } = await send(form.action, changed(form, changes, button));
    const after = await state();
    if (status >= 400) refused += 1;
    else done += 1;
    const told = JSON.stringify(api.lines.slice(lines));
    const { dangers } = readPage(text);
    const isLogged = (await logged()) > entries;
    const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
      [status >= 500 && !UNREACHABLE.has(status), `answered ${status}: ${text.slice(0, 200)}`],
      [
        STACK.test(text) && !changes.some(({ value }) => STACK.test(value)),
        `tells its inside: ${text.slice(0, 200)}`,
      ],
      [dangers.length > 0, `can run: ${dangers.join(', ')}`],
      [status >= 400 && after !== before, `refused with ${status}, yet changed: ${before} → ${after}`],
      [
        status < 400 && after !== before && !isLogged,
        `changed without a line in the log: ${before} → ${after}`,
      ],
      [told.includes('unexpected error'), `logged: ${told.slice(0, 600)}`],
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
