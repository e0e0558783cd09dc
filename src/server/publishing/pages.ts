import { html } from 'hono/html';
import { change, redirectWithMessage } from '#server/admin/change.ts';
import { requireFormVersion } from '#server/admin/form-version.ts';
import { sentText } from '#server/admin/forms/parse.ts';
import { hiddenInputs } from '#server/admin/forms/render.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { assetPath } from '#server/admin/views/assets.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import type { Services } from '#server/services/services.ts';
import { isShrunk } from './failure-words.ts';
import {
  ALL_THE_SAME,
  goingParts,
  PUBLISH,
  progressText,
  renderAllTheSame,
  renderDifferences,
  renderFailure,
  renderReleases,
  renderRollBack,
} from './render.ts';
import { createWatcherClient, isNothing, type Publishing } from './watcher.ts';

/** How often the page without its script is loaded again, in seconds. */
const RELOAD = 3;

const publishingOf = ({ settings }: Services) => createWatcherClient(settings.publishing);

const reasonNotice = (reason: string): Html =>
  html`<section class="notice" role="alert"><h2>This did not work</h2><p>${reason}</p></section>`;

const button = (services: Services, text: string): Html =>
  html`<form method="post" action="${PUBLISH}">${hiddenInputs(services)}<button>${text}</button></form>`;

/** What differs from the live shop, and the button. @param failure why the last try was not published */
async function renderWork(services: Services, failure = ''): Promise<Content> {
  const differences = await publishingOf(services).differences();
  if (differences.status === 'failed') {
    const isFirst = differences.cause === 'nothing live';
    return html`<p>${isFirst ? 'Nothing was published yet.' : `What differs cannot be shown: ${differences.reason}`}</p>${button(services, 'Publish')}`;
  }
  const { value } = differences;
  return html`<h2>What shoppers do not see yet</h2>${renderDifferences(value)}${isShrunk(failure) ? renderAllTheSame(services, value) : ''}${isNothing(value) ? '' : button(services, 'Publish')}`;
}

async function show(
  context: AdminContext,
  services: Services,
  notice: Content = '',
  status: 200 | 409 | 502 = 200,
) {
  const answer = await publishingOf(services).status();
  if (answer.status === 'failed') {
    return showPage(context, {
      title: 'Publish',
      content: html`${notice === '' ? reasonNotice(answer.reason) : notice}
<p>What you save in the admin is stored all the same. The README of scripts/publish says how publishing is set up; <code>npm start</code> does all of it by itself.</p>`,
      status,
    });
  }
  const { value } = answer;
  const running = progressText(value);
  const work =
    running === undefined
      ? await renderWork(services, value.failure)
      : html`<p id="progress" role="status">${running}</p><p>You may leave this page. Shoppers see the new shop as soon as all of it is ready.</p>`;
  return showPage(context, {
    title: 'Publish',
    ...(running === undefined
      ? {}
      : {
          head: html`<noscript><meta http-equiv="refresh" content="${RELOAD}"></noscript>
<script type="module" src="${assetPath('publish.js')}"></script>`,
        }),
    content: html`${notice}${value.failure !== undefined && running === undefined ? renderFailure(value.failure) : ''}${work}
<h2>Publications</h2>${renderReleases(value)}${running === undefined ? renderRollBack(services, value) : ''}`,
    status,
  });
}

/** What the page's script asks for. */
async function showProgress(context: AdminContext, services: Services): Promise<Response> {
  const answer = await publishingOf(services).status();
  const text = answer.status === 'answered' ? progressText(answer.value) : undefined;
  return context.json({ text: text ?? null });
}

const BEGUN = 'Publishing has begun.';

/** Asks the watcher, once for each form. If the watcher refuses or does not answer, the page says why. */
async function once<T>(
  context: AdminContext,
  services: Services,
  { action, id, message }: { readonly action: string; readonly id: string; readonly message: string },
  ask: () => Promise<Publishing<T>>,
  check = (): void => {},
): Promise<Response> {
  return change(context, services, async (_transaction, log) => {
    check();
    await log({ action, target: ['shop', id] });
    // The watcher is asked after the log has its line, and only by the first of equal forms.
    const answerOnce = async () => {
      const answer = await ask();
      return answer.status === 'answered'
        ? redirectWithMessage(context, services, { to: PUBLISH, message })
        : show(context, services, reasonNotice(answer.reason), answer.cause === 'stale' ? 409 : 502);
    };
    // Whoever reloads the page of a failure sends the form again, so the stored message does not say that it worked.
    return { to: PUBLISH, message: 'This was asked for before, and was not asked again.', show: answerOnce };
  });
}

const publish = (context: AdminContext, services: Services): Promise<Response> =>
  context.get('form').has(ALL_THE_SAME)
    ? publishAllTheSame(context, services)
    : once(context, services, { action: 'asked to publish', id: 'live', message: BEGUN }, () =>
        publishingOf(services).publish(),
      );

/** Publishes although many products go, if these are still the ones that the page has named. */
async function publishAllTheSame(context: AdminContext, services: Services): Promise<Response> {
  const now = await publishingOf(services).differences();
  if (now.status === 'failed') return show(context, services, reasonNotice(now.reason), 502);
  const showAgain = () =>
    show(context, services, reasonNotice('Other products go by now. Look again at what goes.'), 409);
  return once(
    context,
    services,
    { action: 'asked to publish although products go', id: 'live', message: BEGUN },
    () => publishingOf(services).publish(true),
    () => requireFormVersion(context.get('form'), goingParts(now.value), {}, showAgain),
  );
}

function rollBack(context: AdminContext, services: Services): Promise<Response> {
  const seen = sentText(context.get('form'), 'live');
  const message = 'The shop is as it was before the last publication.';
  return once(context, services, { action: 'asked to go back from', id: seen, message }, () =>
    publishingOf(services).rollBack(seen),
  );
}

const access = 'publish';

export const PUBLISH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/publish', access, handle: (context, services) => show(context, services) },
  { method: 'GET', path: '/publish/progress', access, handle: showProgress },
  { method: 'POST', path: '/publish', access, handle: publish },
  { method: 'POST', path: '/publish/back', access, handle: rollBack },
];
