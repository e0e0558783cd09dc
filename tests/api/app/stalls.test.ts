import { expect, it, vi } from 'vitest';
import { bodyOf, openOffice } from '#tests/fuzz/find-forms.ts';
import { type ApiRequest, openApi } from '#tests/fuzz/good-requests.ts';
import { changeAt, pathsOf } from '#tests/support/json-places.ts';

/** ms of work for one answer: less than anybody notices on a machine that does nothing else (faults 119). */
const MOST = 150;

/** Bytes of a body, a little less than a call or a form may have. */
const BODY_MOST = 64_000;
/** Bytes of one part of an address or a header: Node takes 16 KB of all of them. */
const HEAD_FIELD = 12_000;

/** What stands before, what is repeated as often as it fits, and what stands after it. */
const SHAPES = {
  'one sign': ['', 'a', '!'],
  pairs: ['', 'ab', '@'],
  quotes: ['', '"', 'x'],
  dots: ['a@', '.', '@'],
  brackets: ['', '([{', ''],
  'unclosed ends': ['', '<a ', ''],
  digits: ['', '1', 'x'],
  commas: ['1', ',11', 'x'],
  spaces: ['a', ' ', 'x'],
  'line ends': ['a', '\r\n', 'x'],
  slashes: ['', '/', 'x'],
  hyphens: ['', '-', 'x'],
  'marks of Markdown': ['', '![[*_`', ''],
  'marks of combining': ['e', '\u0301', 'x'],
} as const;

const NAMES = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

/** @param sizeOf the bytes of a part as it is sent */
function textOf(name: keyof typeof SHAPES, size: number, sizeOf: (text: string) => number): string {
  const [start, repeated, end] = SHAPES[name];
  return start + repeated.repeat(Math.floor((size - 10) / sizeOf(repeated))) + end;
}
const asBytes = (text: string): number => Buffer.byteLength(text);
const inJson = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
const inAddress = (text: string): number => encodeURIComponent(text).length;

/** The ms that this thread works for an answer. What other programs do meanwhile does not count. */
async function workFor(ask: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await ask();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * What takes too long every time. One time may have met the compiler, the collection of garbage, or a core that
 * another program shares.
 */
async function slowOf(name: string, ask: () => Promise<unknown>): Promise<string[]> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5 && least >= MOST; time += 1) least = Math.min(least, await workFor(ask));
  return least < MOST ? [] : [`${name}: ${Math.round(least)} ms`];
}

interface Hostile {
  readonly name: string;
  readonly request: ApiRequest;
}

function* hostileBodies(request: ApiRequest): Generator<Hostile> {
  const body: unknown = JSON.parse(request.body ?? 'null');
  if (body === null) return;
  for (const path of pathsOf(body))
    for (const shape of NAMES) {
      const changed = changeAt(body, path, () =>
        textOf(shape, BODY_MOST - (request.body ?? '').length, inJson),
      );
      yield { name: `${path.join('.')}, ${shape}`, request: { ...request, body: JSON.stringify(changed) } };
    }
}

function* hostileAddresses(request: ApiRequest): Generator<Hostile> {
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  for (const shape of NAMES) {
    const text = textOf(shape, HEAD_FIELD, inAddress);
    for (const name of searchParams.keys()) {
      const query = new URLSearchParams(searchParams);
      query.set(name, text);
      yield { name: `?${name}, ${shape}`, request: { ...request, path: `${pathname}?${query}` } };
    }
    if (!request.call.includes(':id')) continue;
    const path =
      pathname.replace(/[^/]+$/, encodeURIComponent(text)) + (searchParams.size ? `?${searchParams}` : '');
    yield { name: `:id, ${shape}`, request: { ...request, path } };
  }
}

function* hostileHeaders(request: ApiRequest): Generator<Hostile> {
  for (const name of Object.keys(request.headers))
    for (const shape of NAMES) {
      const text = textOf(shape, HEAD_FIELD, asBytes);
      if (/^[ -~]*$/.test(text))
        yield {
          name: `${name}, ${shape}`,
          request: { ...request, headers: { ...request.headers, [name]: text } },
        };
    }
}

it('[fault 119] whatever fills a field of a call, no answer keeps the process busy', async () => {
  const { good, send } = await openApi();
  const slow: string[] = [];
  for (const request of good)
    for (const hostile of [hostileBodies, hostileAddresses, hostileHeaders])
      for (const { name, request: changed } of hostile(request))
        slow.push(
          ...(await slowOf(`${request.call} ${name}`, async () => (await send(changed)).arrayBuffer())),
        );
  expect(slow).toEqual([]);
});

/** Every number in the name of a field, such as the row of a table, is read alike. */
const isFirstOfItsKind = (name: string): boolean => !/-[1-9]\d*$/.test(name);

/** The fields that are read by name while `ask` runs. */
async function fieldsRead(ask: () => Promise<unknown>): Promise<string[]> {
  const spies = (['get', 'getAll', 'has'] as const).map((method) => vi.spyOn(FormData.prototype, method));
  try {
    await ask();
    return spies.flatMap((spy) => spy.mock.calls.map(([name]) => name));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Forms on pages that the walk does not open. */
const GUESSED = [
  '/letters/again',
  '/orders/:id/deliver',
  '/orders/:id/tracking',
  '/orders/money/:reference/collected',
  '/orders/returns/:id/received',
  '/orders/returns/:id/refund',
  '/orders/slips',
  '/policies/:slug/built-in',
  '/policies/:slug/preview',
  '/publish',
  '/publish/back',
  '/second-factor/off',
  '/sign-in',
  '/sign-in/code',
  '/staff/:id/second-factor',
  '/store/categories/remove',
  '/store/preview',
  '/ways/:provider',
];
/** Of these, those that read no field. */
const WITHOUT_FIELDS = ['/ways/:provider'];

it('[fault 119] whatever fills a field of a form of the office, no answer keeps the process busy', async () => {
  const { forms, send, get, signInAgain } = await openOffice();
  const slow: string[] = [];
  const guessed: { readonly path: string; readonly fields: number }[] = [];
  for (const open of forms) {
    await signInAgain();
    const form = await open();
    if (!form) continue;
    const rest = (await new Response(bodyOf(form)).arrayBuffer()).byteLength;
    const fields = form.guessed
      ? await fieldsRead(() => send(form.action, bodyOf(form)))
      : form.fields.map(([name]) => name);
    if (form.guessed) guessed.push({ path: form.guessed, fields: fields.length });
    for (const field of new Set(fields.filter(isFirstOfItsKind)))
      for (const shape of NAMES) {
        const body = bodyOf(form);
        const [size, sizeOf] = form.isPost ? [BODY_MOST - rest, asBytes] : [HEAD_FIELD, inAddress];
        body.set(field, textOf(shape, size, sizeOf));
        const query = new URLSearchParams([...body].map(([name, value]) => [name, String(value)]));
        const ask = () => (form.isPost ? send(form.action, body) : get(`${form.action}?${query}`));
        slow.push(...(await slowOf(`${form.action} ${field}, ${shape}`, ask)));
      }
  }
  expect(slow).toEqual([]);
  expect(guessed.map(({ path }) => path).toSorted()).toEqual(GUESSED);
  expect(guessed.filter(({ fields }) => fields === 0).map(({ path }) => path)).toEqual(WITHOUT_FIELDS);
});
