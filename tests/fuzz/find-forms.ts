import { FORM_KEY } from '#server/admin/change.ts';
import { ADMIN, customerPath } from '#server/admin/paths.ts';
import { ADMIN_PAGES } from '#server/app/admin-pages.tsx';
import { findCredentials } from '#server/customers/stored-customers.ts';
import { randomIds } from '#server/services/ids.ts';
import { inviteStaffMember } from '#server/staff/command.ts';
import { setRequired } from '#server/staff/second-factor.ts';
import { adminApi, ORIGIN } from '#tests/server/support/admin.ts';
import { MANGO } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { unlimited } from '#tests/support/api.ts';
import { type PageForm, readPage } from './admin-forms.ts';

/**
 * Forms that are only on the answer to another form: the page of the first, and the file to choose there. A form
 * that is not found is made up of every name that other forms have.
 */
const SECOND_STEPS: Readonly<Record<string, File>> = {
  [`${ADMIN}/catalogue/prices`]: new File([`id,regular price,sale price\n${MANGO},1000,\n`], 'prices.csv'),
};

/** How many pages of one kind, such as products, are searched for forms. */
const MOST_OF_A_KIND = 2;

const patternOf = (path: string): RegExp => new RegExp(`^${ADMIN}${path.replaceAll(/:\w+/g, '[^/]+')}$`);

const GET_PATHS = ADMIN_PAGES.filter(({ method }) => method === 'GET').map(({ path }) => path);

const kindOf = (link: string): string | undefined => GET_PATHS.find((path) => patternOf(path).test(link));

/**
 * Opens a form again, because the staff member may have to sign in again. Returns undefined if its subject no
 * longer exists.
 */
export type OpenForm = () => Promise<PageForm | undefined>;

/** Returns what a form sends unchanged, with its own form key. */
export function bodyOf({ fields }: PageForm, more: readonly (readonly [string, string])[] = []): FormData {
  const sent = new FormData();
  for (const [name, value] of [...fields, ...more])
    sent.append(name, name === FORM_KEY ? randomIds.token() : value);
  return sent;
}

/** An admin with tasks: orders, a requested return, and a payment that needs attention. */
async function busyAdmin() {
  const api = await adminApi({
    settings: {
      limits: unlimited(),
      // Nothing answers there, so that no preview reads a shop that happens to run on this machine.
      siteOrigins: ['http://127.0.0.1:1'],
      paymentProviders: ['cod'],
    },
  });
  const { token, email } = await api.customer();
  const orders: string[] = [];
  for (let count = 0; count < 5; count += 1) orders.push((await api.placeOrder(token)).id);
  const [arrived = '', flagged = '', toCollect = ''] = orders;
  for (const orderId of [arrived, flagged, toCollect])
    await api.ask('/payments', { token, json: { orderId, fields: { method: METHODS.cash } } });
  const owner = await api.staff('owner', 'first@example.com');
  for (const move of ['ship', 'deliver'])
    await owner.submit(`${ADMIN}/orders/${arrived}`, `${ADMIN}/orders/${arrived}/${move}`);
  const lines = [{ line: 0, quantity: 1 }];
  await api.ask(`/orders/${arrived}/returns`, { token, json: { reason: 'It was not ripe.', lines } });
  await api.db.write((transaction) =>
    transaction.run(
      `UPDATE payments SET state = 'flagged' WHERE order_number = (SELECT number FROM orders WHERE id = ?)`,
      flagged,
    ),
  );
  const [customer, invitation] = [
    await findCredentials(api.db, email),
    await inviteStaffMember(api.tools, 'new@example.com', 'packer', 'New Packer'),
  ];
  return { ...api, unlinked: [customerPath(customer?.id ?? ''), new URL(invitation).pathname] };
}

/** An admin without limits, and all of its forms. */
export async function openAdmin() {
  const api = await busyAdmin();
  let owners = 0;
  function newOwner() {
    owners += 1;
    return api.staff('owner', `owner${owners}@example.com`);
  }
  let owner = await newOwner();
  await api.staff('packer', 'packer@example.com');

  const read = async (page: string, step?: File) =>
    readPage((step ? await owner.upload(page, step) : await owner.get(page)).text);

  /** Links of the admin's pages, each with an id of something that is there. */
  const links = new Set([ADMIN, `${ADMIN}/sign-in`, ...api.unlinked]);
  const forms = new Map<string, OpenForm>();
  const vocabulary = new Map<string, string>();
  const kinds = new Map<string, number>();
  // The set grows while it is read.
  for (const page of links) {
    const parts = await read(page);
    const step = SECOND_STEPS[page];
    const steps = step ? [undefined, step] : [undefined];
    for (const filled of steps) {
      for (const form of (filled ? await read(page, filled) : parts).forms) {
        const key = `${form.isPost} ${form.action}`;
        if (forms.has(key)) continue;
        for (const [name, value] of form.fields) vocabulary.set(name, value.slice(0, 100));
        forms.set(key, async () =>
          (await read(page, filled)).forms.find(
            ({ action, isPost }) => isPost === form.isPost && action === form.action,
          ),
        );
      }
    }
    for (const link of parts.links) {
      const kind = kindOf(link);
      const count = kinds.get(kind ?? '') ?? 0;
      if (kind === undefined || links.has(link) || count >= MOST_OF_A_KIND) continue;
      kinds.set(kind, count + 1);
      links.add(link);
    }
  }

  /** Returns the path with the first id of a link that was found, so that it exists. Other ids are made up. */
  function addressOf(path: string): string {
    const [kind = path] = /^.*?:\w+/.exec(path) ?? [];
    const link = [...links].find((known) => kindOf(known) === kind) ?? `${ADMIN}${kind}`;
    return `${link}${path.slice(kind.length)}`.replaceAll(/:\w+/g, MANGO);
  }
  const actions = [...forms.keys()].flatMap((key) => (key.startsWith('true ') ? key.slice(5) : []));
  for (const { method, path } of ADMIN_PAGES) {
    if (method !== 'POST' || actions.some((action) => patternOf(path).test(action))) continue;
    const form: PageForm = {
      action: addressOf(path),
      isPost: true,
      fields: [...vocabulary],
      files: ['files'],
      buttons: [['do', 'save']],
      guessed: path,
    };
    forms.set(`true ${form.action}`, async () => form);
  }

  /** Sends the form as bytes. If its reader stops early, Node's own form body throws where no code catches it. */
  async function send(action: string, form: FormData) {
    const sent = new Response(form);
    const body = await sent.arrayBuffer();
    return owner.request(action, {
      method: 'POST',
      headers: {
        'Content-Type': sent.headers.get('content-type') ?? '',
        Origin: ORIGIN,
        'Sec-Fetch-Site': 'same-origin',
      },
      body,
    });
  }

  return {
    ...api,
    forms: [...forms.values()],
    send,
    get: (path: string) => owner.get(path),
    /** A form may have signed the owner out, changed the password, or required a second factor. */
    signInAgain: async () => {
      await api.db.write((transaction) => setRequired(transaction, false));
      if ((await owner.get(ADMIN)).status !== 200) owner = await newOwner();
    },
  };
}
