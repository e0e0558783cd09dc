import type { ReactNode } from 'react';
import { change, redirectWithMessage } from '#server/admin/change.ts';
import { requireFormVersion } from '#server/admin/form-version.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import { sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { Script } from '#server/admin/views/assets.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, Notice } from '#server/admin/views/pieces.tsx';
import type { Services } from '#server/services/services.ts';
import { isShrinkRefusal } from './explain-failure.ts';
import {
  CONFIRM_SHRINK,
  PUBLISH,
  progressText,
  removedParts,
  renderDifferences,
  renderFailure,
  renderReleases,
  renderRollBack,
  renderShrinkConfirmation,
} from './render.tsx';
import { createWatcherClient, hasNoDifferences, type WatcherAnswer } from './watcher-client.ts';

/** How often the page reloads without its script, in seconds. */
const RELOAD = 3;

const watcherOf = ({ settings }: Services) => createWatcherClient(settings.publishing);

const reasonNotice = (reason: string): ReactNode => (
  <div role="alert">
    <Notice title="This did not work">
      <p>{reason}</p>
    </Notice>
  </div>
);

const button = (text: string): ReactNode => (
  <PostForm action={PUBLISH}>
    <Button>{text}</Button>
  </PostForm>
);

/** @param failure of the last publication */
async function renderWork(services: Services, failure = ''): Promise<ReactNode> {
  const differences = await watcherOf(services).differences();
  if (differences.status === 'failed') {
    const isFirst = differences.cause === 'nothing live';
    return (
      <>
        <p>
          {isFirst
            ? 'Nothing has been published yet.'
            : `The differences cannot be shown: ${differences.reason}`}
        </p>
        {button('Publish')}
      </>
    );
  }
  const { value } = differences;
  return (
    <>
      <h2>What shoppers do not see yet</h2>
      {renderDifferences(value)}
      {isShrinkRefusal(failure) && renderShrinkConfirmation(value)}
      {hasNoDifferences(value) ? null : button('Publish')}
    </>
  );
}

async function show(
  context: AdminContext,
  services: Services,
  notice: ReactNode = '',
  status: 200 | 409 | 502 = 200,
) {
  const answer = await watcherOf(services).status();
  if (answer.status === 'failed') {
    return showPage(context, {
      title: 'Publish',
      content: (
        <>
          {notice === '' ? reasonNotice(answer.reason) : notice}
          <p>
            What you save in the admin is stored anyway. The README of scripts/publish explains how to set up
            publishing; <code>npm start</code> does it automatically.
          </p>
        </>
      ),
      status,
    });
  }
  const { value } = answer;
  const running = progressText(value);
  const work =
    running === undefined ? (
      await renderWork(services, value.failure)
    ) : (
      <>
        <p id="progress" role="status">
          {running}
        </p>
        <p>You may leave this page. Shoppers see the new shop as soon as all of it is ready.</p>
      </>
    );
  return showPage(context, {
    title: 'Publish',
    ...(running === undefined
      ? {}
      : {
          head: (
            <>
              <noscript>
                <meta httpEquiv="refresh" content={String(RELOAD)} />
              </noscript>
              <Script name="publish" />
            </>
          ),
        }),
    content: (
      <>
        {notice}
        {value.failure !== undefined && running === undefined && renderFailure(value.failure)}
        {work}
        <h2>Publications</h2>
        {renderReleases(value)}
        {running === undefined && renderRollBack(value)}
      </>
    ),
    status,
  });
}

/** Polled by `views/publish.js`. */
async function showProgress(context: AdminContext, services: Services): Promise<Response> {
  const answer = await watcherOf(services).status();
  const text = answer.status === 'answered' ? progressText(answer.value) : undefined;
  return context.json({ text: text ?? null });
}

const BEGUN = 'Publishing has begun.';

/** Calls the watcher once per form. The page shows why it refused or did not answer. */
async function callWatcherOnce<T>(
  context: AdminContext,
  services: Services,
  { action, id, message }: { readonly action: string; readonly id: string; readonly message: string },
  call: () => Promise<WatcherAnswer<T>>,
  check = (): void => {},
): Promise<Response> {
  return change(context, services, async (_transaction, log) => {
    check();
    await log({ action, target: ['shop', id] });
    // Called after the transaction, and only for the first of equal forms.
    const answerOnce = async () => {
      const answer = await call();
      return answer.status === 'answered'
        ? redirectWithMessage(context, services, { to: PUBLISH, message })
        : show(
            context,
            services,
            reasonNotice(answer.reason),
            answer.cause === 'release changed' ? 409 : 502,
          );
    };
    // Reloading the page of a failure sends the form again, so the stored message must not report success.
    return {
      to: PUBLISH,
      message: 'This was already requested, and was not requested again.',
      show: answerOnce,
    };
  });
}

const publish = (context: AdminContext, services: Services): Promise<Response> =>
  context.get('form').has(CONFIRM_SHRINK)
    ? publishDespiteShrink(context, services)
    : callWatcherOnce(
        context,
        services,
        { action: 'requested a publication', id: 'live', message: BEGUN },
        () => watcherOf(services).publish(),
      );

/** Publishes although many products are removed, if they are still the ones that the page named. */
async function publishDespiteShrink(context: AdminContext, services: Services): Promise<Response> {
  const now = await watcherOf(services).differences();
  if (now.status === 'failed') return show(context, services, reasonNotice(now.reason), 502);
  const showAgain = () =>
    show(
      context,
      services,
      reasonNotice('Other products would be removed by now. Check the list again.'),
      409,
    );
  return callWatcherOnce(
    context,
    services,
    { action: 'requested a publication that removes many products', id: 'live', message: BEGUN },
    () => watcherOf(services).publish(true),
    () => requireFormVersion(context.get('form'), removedParts(now.value), {}, showAgain),
  );
}

function rollBack(context: AdminContext, services: Services): Promise<Response> {
  const live = sentText(context.get('form'), 'live');
  const message = 'The shop is as it was before the last publication.';
  return callWatcherOnce(context, services, { action: 'requested to go back from', id: live, message }, () =>
    watcherOf(services).rollBack(live),
  );
}

const access = 'publish';

export const PUBLISH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/publish', access, handle: (context, services) => show(context, services) },
  { method: 'GET', path: '/publish/progress', access, handle: showProgress },
  { method: 'POST', path: '/publish', access, handle: publish },
  { method: 'POST', path: '/publish/back', access, handle: rollBack },
];
