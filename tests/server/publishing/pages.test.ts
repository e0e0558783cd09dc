import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { StaleRelease } from '#scripts/publish/release/switch.ts';
import type { HookOptions } from '#scripts/publish/watch/hook-server.ts';
import { BuildError } from '#server/process/explained-error.ts';
import type { PublishingStatus } from '#server/process/publishing.ts';
import { createWatcherClient } from '#server/publishing/watcher-client.ts';
import { adminApi, documentOf, expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { freePort, listenLocally } from '#tests/support/free-port.ts';
import { IDLE, NO_DIFFERENCES, startHook, TOKEN } from '#tests/support/watcher-hook.ts';

const PATH = '/admin/publish';
const PUBLISHED: PublishingStatus = {
  ...IDLE,
  live: '000002-20260105-100000',
  releases: [
    {
      id: '000002-20260105-100000',
      at: '2026-01-05T10:00:00Z',
      summary: [
        'Repriced (1):',
        `  Mango: ${formatRupees(99)} → ${formatRupees(89)}`,
        '3 pages written, 9 files changed, 0 files no longer there.',
      ],
    },
    ...IDLE.releases,
  ],
};

async function publishAdmin(change: Partial<HookOptions> = {}, status: Partial<PublishingStatus> = {}) {
  const { url, ...calls } = await startHook({
    status: async () => ({ ...PUBLISHED, ...status }),
    ...change,
  });
  const publishing = { hook: url, token: TOKEN };
  const api = await adminApi({ settings: { publishing } });
  return { ...api, editor: await api.staff('editor'), ...calls };
}

test('explains what to do if the watcher is not set, does not run, or is another server', async () => {
  const off = createWatcherClient({ hook: undefined, token: undefined });
  expect(await off.status()).toMatchObject({ reason: expect.stringContaining('PUBLISH_HOOK') });
  const stopped = createWatcherClient({ hook: `http://127.0.0.1:${await freePort()}`, token: TOKEN });
  expect(await stopped.publish()).toMatchObject({
    reason: expect.stringContaining("Is 'npm run publish:watch' running?"),
  });
  const other = createServer((_request, response) => response.end('{}'));
  onTestFinished(() => void other.close());
  const wrong = createWatcherClient({ hook: await listenLocally(other), token: TOKEN });
  expect(await wrong.status()).toMatchObject({ reason: expect.stringContaining('is not the watcher') });
});

test('returns the watcher’s reason when it refuses', async () => {
  const { url, trigger } = await startHook({
    differences: async () => undefined,
    rollBack: async () => {
      throw new BuildError('There is no older release to go back to.');
    },
  });
  const unauthorised = createWatcherClient({ hook: url, token: 'a-token-of-another-shop-entirely' });
  expect(await unauthorised.publish()).toMatchObject({
    reason: expect.stringContaining('REBUILD_TOKEN must be the same'),
  });
  expect(trigger).not.toHaveBeenCalled();
  const owner = createWatcherClient({ hook: url, token: TOKEN });
  expect(await owner.rollBack('2')).toMatchObject({ reason: 'There is no older release to go back to.' });
  expect(await owner.differences()).toMatchObject({ cause: 'nothing live' });
});

test('shows the unpublished changes, with old and new prices', async () => {
  const { editor } = await publishAdmin({
    differences: async () => ({
      added: [{ id: 'a', name: 'Kiwi' }],
      removed: [{ id: 'b', name: 'Guava' }],
      repriced: [{ id: 'c', name: 'Mango', from: 1099, to: 899.5 }],
      edited: [{ id: 'd', name: 'Lemon' }],
      texts: ['companyPhone', 'policies/terms'],
      isReordered: true,
    }),
  });
  const { text } = await editor.get(PATH);
  expect(mainText(text)).toContain(`Mango: ${formatRupees(1_099)} → ${formatRupees(899.5)}`);
  const groups = ['New ?Kiwi', 'No longer sold ?Guava', 'Lemon', 'Phone for customers ?Terms & Conditions'];
  for (const part of [...groups, 'another order']) expect(mainText(text)).toMatch(new RegExp(part));
});

test('publishes once when a form is sent twice, and logs who did it', async () => {
  const { editor, staff, trigger } = await publishAdmin({
    differences: async () => ({ ...NO_DIFFERENCES, added: [{ id: 'a', name: 'Kiwi' }] }),
  });
  const form = filledForm((await editor.get(PATH)).text, PATH);
  const answers = [await editor.post(PATH, form), await editor.post(PATH, form)];
  expect(answers).toMatchObject(Array(2).fill({ status: 303, location: PATH }));
  expect(trigger).toHaveBeenCalledOnce();
  const log = mainText((await (await staff('owner')).get('/admin/log')).text);
  expect(log).toContain('editor@example.comrequested a publicationshop live');
});

test('publishes a shrunken catalogue after a confirmation that names the removed products', async () => {
  let removed = [{ id: 'b', name: 'Guava' }];
  const { editor, trigger, staff } = await publishAdmin(
    { differences: async () => ({ ...NO_DIFFERENCES, removed }) },
    { failure: 'Not published:\n  The catalogue went from 40 to 20 products, 50.0 % fewer.' },
  );
  const { text } = await editor.get(PATH);
  expect(mainText(text)).toContain('Only 20 of 40 products would be left');
  const form = [...documentOf(text).querySelectorAll('form')].find((found) =>
    found.textContent?.includes('Publish anyway'),
  );
  expect(form?.closest('section')?.textContent).toContain('Guava');
  const fields = () =>
    new URLSearchParams(
      [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }): [string, string] => [name, value]),
    );
  removed = [...removed, { id: 'c', name: 'Mango' }];
  const refused = await editor.post(PATH, fields());
  expectPage(refused, 409, 'Other products would be removed');
  expect(trigger).not.toHaveBeenCalled();
  removed = removed.slice(0, 1);
  expect((await editor.post(PATH, fields())).status).toBe(303);
  expect(trigger.mock.calls).toEqual([[true]]);
  const log = mainText((await (await staff('owner')).get('/admin/log')).text);
  expect(log).toContain('requested a publication that removes many products');
});

test.each([
  ['The catalogue of http://x/api/v1 is empty.', 'The shop sells no product.'],
  [
    'Not published, the live release stays:\n  The catalogue went from 800 to 400 products, 50.0 % fewer. If that',
    'Only 400 of 800 products would be left',
  ],
  [
    'Not published, the live release stays:\n  terms.html links to /nowhere, which is not there.',
    'The page /terms has a link to /nowhere',
  ],
  [
    "Products 'A1' and 'a1' would be one file on some hosts",
    'The ids A1 and a1 differ only in capital letters.',
  ],
  [
    '/srv/shop/releases belongs to root, and shop-site, who runs this program, may not write it. Run: …',
    'The server may not write its own files.',
  ],
  ['The disk is full. The live shop stays.', 'The server has no room left.'],
  ['an unknown message', 'The new pages could not be made.'],
])('explains the failure %j', async (failure, words) => {
  const { editor } = await publishAdmin({}, { state: 'waiting to try again', failure });
  const text = mainText((await editor.get(PATH)).text);
  expect(text).toContain('Shoppers still see the shop as it was before.');
  expect(text).toContain(words);
});

test('goes back once, after a confirmation', async () => {
  const { editor, rollBack } = await publishAdmin();
  const page = documentOf((await editor.get(PATH)).text);
  const button = page.querySelector(`form[action="${PATH}/back"] button`);
  expect(button?.closest('details')).not.toBeNull();
  const form = filledForm((await editor.get(PATH)).text, `${PATH}/back`);
  await editor.post(`${PATH}/back`, form);
  await editor.post(`${PATH}/back`, form);
  expect(rollBack.mock.calls).toEqual([[PUBLISHED.live]]);
});

test('does not go back from an old page', async () => {
  const { editor } = await publishAdmin({
    rollBack: async (from) => {
      throw new StaleRelease(`not ${from}`);
    },
  });
  const answer = await editor.submit(PATH, `${PATH}/back`, { live: '000001-20260104-100000' });
  expectPage(answer, 409, 'Another staff member published');
});

test('does not report success when the form of a failure is sent again', async () => {
  const { editor } = await publishAdmin({
    rollBack: async () => {
      throw new BuildError('There is no older release to go back to.');
    },
  });
  const form = filledForm((await editor.get(PATH)).text, `${PATH}/back`);
  await editor.post(`${PATH}/back`, form);
  expect((await editor.post(`${PATH}/back`, form)).status).toBe(303);
  expect(mainText((await editor.get(PATH)).text)).toContain('was already requested');
});

test('explains how to start the watcher if there is none', async () => {
  const { staff } = await adminApi();
  const editor = await staff('editor');
  const { status, text } = await editor.get(PATH);
  expect(status).toBe(200);
  expect(mainText(text)).toContain('npm run publish:watch');
  expect(documentOf(text).querySelector('main form')).toBeNull();
});
