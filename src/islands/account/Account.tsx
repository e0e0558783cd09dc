import { useStore } from '@nanostores/react';
import { formatMemberSince } from '#domain/date.ts';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { AccountCard, AccountCards, Island, Skeleton } from '#islands/ui/Island.tsx';
import { ALERT, ARROW_RIGHT, Icon, PACKAGE } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';
import { $account, LOADING_ACCOUNT, loadAccount, signOut } from '#stores/account/account.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';

const LOG_OUT = 'm16 17 5-5-5-5m5 5H9m0 9H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4';

/** As high as the cards that replace it. */
const AccountSkeleton = () => (
  <AccountCards aria-hidden="true">
    <Skeleton className="h-51 rounded-card" />
    <Skeleton className="h-24 rounded-card" />
    <Skeleton className="h-12 w-77.5 max-w-full rounded-full" />
  </AccountCards>
);

function Profile() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const page = useStore($account, { ssr: () => LOADING_ACCOUNT });
  useFocusAfterRemoval(Number(page.status === 'failed'), 'account-name', 'account-retry');
  if (session.status !== 'signed-in' || page.status === 'loading') return <AccountSkeleton />;

  return (
    <AccountCards>
      {page.status === 'failed' ? (
        <AccountCard>
          <p className="flex items-center gap-2 font-semibold text-error">
            <Icon path={ALERT} size={22} /> <span>{page.text}</span>
          </p>
          <Button id="account-retry" variant="outline" onClick={() => void loadAccount()}>
            Try Again
          </Button>
        </AccountCard>
      ) : (
        <AccountCard className="min-h-51">
          <dl className="grid gap-4">
            <div>
              <dt className="text-caption text-ink3">Name</dt>
              <dd id="account-name" className="font-semibold text-title" translate="no" tabIndex={-1}>
                {`${page.account.firstName} ${page.account.lastName}`.trim()}
              </dd>
            </div>
            <div>
              <dt className="text-caption text-ink3">Email</dt>
              <dd className="font-semibold">{page.account.email}</dd>
              {page.account.newEmail && (
                <dd className="mt-1 text-ink2 text-note">
                  {`Your email address changes to ${page.account.newEmail} once both addresses have confirmed it.`}
                </dd>
              )}
            </div>
            <div>
              <dt className="text-caption text-ink3">Member Since</dt>
              <dd className="font-semibold">{formatMemberSince(page.account.createdAt)}</dd>
            </div>
          </dl>
        </AccountCard>
      )}
      <a
        className="flex min-h-24 items-center gap-4 rounded-card bg-leaf-tint px-5.5 py-4 no-underline"
        href={paths.orders}
      >
        <Icon path={PACKAGE} size={28} />
        <span className="grid flex-1">
          <strong className="text-lead underline">My Orders</strong>
          <span className="text-ink2 text-note">See what you ordered and where it is</span>
        </span>
        <Icon path={ARROW_RIGHT} />
      </a>
      <div className="flex flex-wrap gap-3 max-md:grid max-md:justify-self-stretch">
        <Button variant="outline" onClick={() => void signOut()}>
          <Icon path={LOG_OUT} size={18} /> Sign Out
        </Button>
        {__CAPABILITIES__.accountChanges && (
          <ButtonLink variant="outline" href={paths.accountChange}>
            Change your account
          </ButtonLink>
        )}
        {__CAPABILITIES__.accountData && (
          <ButtonLink variant="outline" href={paths.accountData}>
            Your data
          </ButtonLink>
        )}
        <ButtonLink variant="outline" href={paths.home}>
          Return to Home
        </ButtonLink>
      </div>
    </AccountCards>
  );
}

export const Account = () => (
  <Island>
    <Profile />
  </Island>
);
