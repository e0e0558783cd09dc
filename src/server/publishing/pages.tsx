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

/** Why something did not work, above the page. */
interface Failed {
  readonly reason?: string;
  readonly status?: 200 | 409 | 502;
}

const Reason = ({ reason }: { readonly reason: string }) => (
  <div role="alert">
    <Notice title="This did not work">
      <p>{reason}</p>
    </Notice>
  </div>
);

const PublishButton = () => (
  <PostForm action={PUBLISH}>
    <Button>Publish</Button>
  </PostForm>
);

/** @param failure of the last publication */
async function renderWork(services: Services, failure = ''): Promise<ReactNode> {
  const differences = await watcherOf(services).differences();
  if (differences.status === 'failed') {
    const { cause, reason } = differences;
    return (
      <>
        <p>{cause === 'nothing live' ? reason : `The differences cannot be shown: ${reason}`}</p>
        <PublishButton />
      </>
    );
  }
  const { value } = differences;
  return (
    <>
      <h2>What shoppers do not see yet</h2>
      {renderDifferences(value)}
      {isShrinkRefusal(failure) && renderShrinkConfirmation(value)}
      {!hasNoDifferences(value) && <PublishButton />}
    </>
  );
}

/** Reloads the page while a publication is running. */
const reloading = (
  <>
    <noscript>
      <meta httpEquiv="refresh" content={String(RELOAD)} />
    </noscript>
    <Script name="publish" />
  </>
);

async function show(context: AdminContext, services: Services, { reason, status = 200 }: Failed = {}) {
  const answer = await watcherOf(services).status();
  const isAnswered = answer.status === 'answered';
  const why = reason ?? (isAnswered ? undefined : answer.reason);
  const notice = why !== undefined && <Reason reason={why} />;
  const running = isAnswered ? progressText(answer.value) : undefined;
  const content = isAnswered ? (
    <>
      {running === undefined ? (
        <>
          {answer.value.failure !== undefined && renderFailure(answer.value.failure)}
          {await renderWork(services, answer.value.failure)}
        </>
      ) : (
        <>
          <p id="progress" role="status">
            {running}
          </p>
          <p>You may leave this page. Shoppers see the new shop as soon as all of it is ready.</p>
        </>
      )}
      <h2>Publications</h2>
      {renderReleases(answer.value)}
      {running === undefined && renderRollBack(answer.value)}
    </>
  ) : (
    <p>
      What you save in the admin is stored anyway. The README of scripts/publish explains how to set up
      publishing; <code>npm start</code> does it automatically.
    </p>
  );
  return showPage(context, {
    title: 'Publish',
    head: running !== undefined && reloading,
    content: (
      <>
        {notice}
        {content}
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

/** Calls the watcher once per form. The page says why it refused or did not answer. */
const callWatcherOnce = (
  context: AdminContext,
  services: Services,
  {
    action,
    id = 'live',
    message = 'Publishing has begun.',
  }: { action: string; id?: string; message?: string },
  call: () => Promise<WatcherAnswer<unknown>>,
  check = (): void => {},
): Promise<Response> =>
  change(context, services, async (_transaction, log) => {
    check();
    await log({ action, target: ['shop', id] });
    return {
      to: PUBLISH,
      // Reloading the page of a failure sends the form again, so the stored message must not report success.
      message: 'This was already requested, and was not requested again.',
      // Called after the transaction, and only for the first of equal forms.
      show: async () => {
        const answer = await call();
        if (answer.status === 'answered')
          return redirectWithMessage(context, services, { to: PUBLISH, message });
        const { reason, cause } = answer;
        return show(context, services, { reason, status: cause === 'release changed' ? 409 : 502 });
      },
    };
  });

/** Publishes. If many products would be removed, they must still be the ones that the page listed. */
async function publish(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const watcher = watcherOf(services);
  if (!form.has(CONFIRM_SHRINK))
    return callWatcherOnce(context, services, { action: 'requested a publication' }, () => watcher.publish());
  const now = await watcher.differences();
  if (now.status === 'failed') return show(context, services, { reason: now.reason, status: 502 });
  const reason = 'Other products would be removed by now. Check the list again.';
  const showAgain = () => show(context, services, { reason, status: 409 });
  return callWatcherOnce(
    context,
    services,
    { action: 'requested a publication that removes many products' },
    () => watcher.publish(true),
    () => requireFormVersion(form, removedParts(now.value), {}, showAgain),
  );
}

function rollBack(context: AdminContext, services: Services): Promise<Response> {
  const id = sentText(context.get('form'), 'live');
  const message = 'The shop is as it was before the last publication.';
  return callWatcherOnce(context, services, { action: 'requested to go back from', id, message }, () =>
    watcherOf(services).rollBack(id),
  );
}

const access = 'publish';

export const PUBLISH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/publish', access, handle: show },
  { method: 'GET', path: '/publish/progress', access, handle: showProgress },
  { method: 'POST', path: '/publish', access, handle: publish },
  { method: 'POST', path: '/publish/back', access, handle: rollBack },
];
