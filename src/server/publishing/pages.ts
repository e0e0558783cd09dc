import { html } from 'hono/html';
import { change, goOn } from '#server/admin/change.ts';
import { hiddenInputs } from '#server/admin/forms/draw.ts';
import { sentText } from '#server/admin/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#server/admin/page.ts';
import { requireSeen } from '#server/admin/seen.ts';
import { assetPath } from '#server/admin/views/assets.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import type { Shop } from '#server/services/shop.ts';
import {
  ALL_THE_SAME,
  drawAllTheSame,
  drawDifferences,
  drawFailure,
  drawReleases,
  drawRollBack,
  goingParts,
  PUBLISH,
  progressText,
} from './draw.ts';
import { isShrunk } from './failure-words.ts';
import { createPublishing, isNothing, type Publishing } from './watcher.ts';

/** How often the page without its script is loaded again, in seconds. */
const RELOAD = 3;

const publishingOf = ({ settings }: Shop) => createPublishing(settings.publishing);

const reasonNotice = (reason: string): Html =>
  html`<section class="notice" role="alert"><h2>This did not work</h2><p>${reason}</p></section>`;

const button = (shop: Shop, text: string): Html =>
  html`<form method="post" action="${PUBLISH}">${hiddenInputs(shop)}<button>${text}</button></form>`;

/** What differs from the live shop, and the button. @param failure why the last try was not published */
async function drawWork(shop: Shop, failure = ''): Promise<Content> {
  const differences = await publishingOf(shop).differences();
  if (differences.status === 'failed') {
    const isFirst = differences.cause === 'nothing live';
    return html`<p>${isFirst ? 'Nothing was published yet.' : `What differs cannot be shown: ${differences.reason}`}</p>${button(shop, 'Publish')}`;
  }
  const { value } = differences;
  return html`<h2>What shoppers do not see yet</h2>${drawDifferences(value)}${isShrunk(failure) ? drawAllTheSame(shop, value) : ''}${isNothing(value) ? '' : button(shop, 'Publish')}`;
}

async function show(context: OfficeContext, shop: Shop, notice: Content = '', status: 200 | 409 | 502 = 200) {
  const answer = await publishingOf(shop).status();
  if (answer.status === 'failed') {
    return showPage(context, {
      title: 'Publish',
      content: html`${notice === '' ? reasonNotice(answer.reason) : notice}
<p>What you save in the office is stored all the same. The README of scripts/publish says how publishing is set up; <code>npm start</code> does all of it by itself.</p>`,
      status,
    });
  }
  const { value } = answer;
  const running = progressText(value);
  const work =
    running === undefined
      ? await drawWork(shop, value.failure)
      : html`<p id="progress" role="status">${running}</p><p>You may leave this page. Shoppers see the new shop as soon as all of it is ready.</p>`;
  return showPage(context, {
    title: 'Publish',
    ...(running === undefined
      ? {}
      : {
          head: html`<noscript><meta http-equiv="refresh" content="${RELOAD}"></noscript>
<script type="module" src="${assetPath('publish.js')}"></script>`,
        }),
    content: html`${notice}${value.failure !== undefined && running === undefined ? drawFailure(value.failure) : ''}${work}
<h2>Publications</h2>${drawReleases(value)}${running === undefined ? drawRollBack(shop, value) : ''}`,
    status,
  });
}

/** What the page's script asks for. */
async function showProgress(context: OfficeContext, shop: Shop): Promise<Response> {
  const answer = await publishingOf(shop).status();
  const text = answer.status === 'answered' ? progressText(answer.value) : undefined;
  return context.json({ text: text ?? null });
}

const BEGUN = 'Publishing has begun.';

/** Asks the watcher, once for each form. If the watcher refuses or does not answer, the page says why. */
async function once<T>(
  context: OfficeContext,
  shop: Shop,
  { action, id, message }: { readonly action: string; readonly id: string; readonly message: string },
  ask: () => Promise<Publishing<T>>,
  check = (): void => {},
): Promise<Response> {
  return change(context, shop, async (_transaction, log) => {
    check();
    await log({ action, target: ['shop', id] });
    // The watcher is asked after the log has its line, and only by the first of equal forms.
    const answerOnce = async () => {
      const answer = await ask();
      return answer.status === 'answered'
        ? goOn(context, shop, { to: PUBLISH, message })
        : show(context, shop, reasonNotice(answer.reason), answer.cause === 'stale' ? 409 : 502);
    };
    // Whoever reloads the page of a failure sends the form again, so the stored message does not say that it worked.
    return { to: PUBLISH, message: 'This was asked for before, and was not asked again.', show: answerOnce };
  });
}

const publish = (context: OfficeContext, shop: Shop): Promise<Response> =>
  context.get('form').has(ALL_THE_SAME)
    ? publishAllTheSame(context, shop)
    : once(context, shop, { action: 'asked to publish', id: 'live', message: BEGUN }, () =>
        publishingOf(shop).publish(),
      );

/** Publishes although many products go, if these are still the ones that the page has named. */
async function publishAllTheSame(context: OfficeContext, shop: Shop): Promise<Response> {
  const now = await publishingOf(shop).differences();
  if (now.status === 'failed') return show(context, shop, reasonNotice(now.reason), 502);
  const showAgain = () =>
    show(context, shop, reasonNotice('Other products go by now. Look again at what goes.'), 409);
  return once(
    context,
    shop,
    { action: 'asked to publish although products go', id: 'live', message: BEGUN },
    () => publishingOf(shop).publish(true),
    () => requireSeen(context.get('form'), goingParts(now.value), {}, showAgain),
  );
}

function rollBack(context: OfficeContext, shop: Shop): Promise<Response> {
  const seen = sentText(context.get('form'), 'live');
  const message = 'The shop is as it was before the last publication.';
  return once(context, shop, { action: 'asked to go back from', id: seen, message }, () =>
    publishingOf(shop).rollBack(seen),
  );
}

const access = 'publish';

export const PUBLISH_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/publish', access, handle: (context, shop) => show(context, shop) },
  { method: 'GET', path: '/publish/progress', access, handle: showProgress },
  { method: 'POST', path: '/publish', access, handle: publish },
  { method: 'POST', path: '/publish/back', access, handle: rollBack },
];
