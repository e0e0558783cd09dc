import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { formatMemberSince } from '#domain/date.ts';
import { Button } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { AlertIcon, ArrowRightIcon, Icon, type IconProps, PackageIcon } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';
import { $account, LOADING_ACCOUNT, loadAccount, openAccount, signOutHere } from '#stores/account/account.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';

const LogOutIcon = (props: IconProps) => (
  <Icon {...props} path="m16 17 5-5-5-5m5 5H9m0 9H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4" />
);

const AccountSkeleton = () => (
  <div className="account" aria-hidden="true">
    <Skeleton className="account-bone-card" />
    <Skeleton className="account-bone-orders" />
    <Skeleton className="account-bone-actions" />
  </div>
);

function Profile() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const page = useStore($account, { ssr: () => LOADING_ACCOUNT });
  useEffect(openAccount, []);
  useFocusAfterRemoval(Number(page.status === 'failed'), 'account-name', 'account-retry');
  if (session.status !== 'signed-in' || page.status === 'loading') return <AccountSkeleton />;

  return (
    <div className="account">
      {page.status === 'failed' ? (
        <div className="account-card">
          <p className="account-failure">
            <AlertIcon size={22} /> {page.text}
          </p>
          <Button id="account-retry" variant="outline" onClick={() => void loadAccount()}>
            Try Again
          </Button>
        </div>
      ) : (
        <dl className="account-card">
          <div>
            <dt>Name</dt>
            <dd id="account-name" className="account-name" translate="no" tabIndex={-1}>
              {`${page.account.firstName} ${page.account.lastName}`.trim()}
            </dd>
          </div>
          <div>
            <dt>Email</dt>
            <dd>{page.account.email}</dd>
            {page.account.newEmail && (
              <dd className="account-waiting">
                {`Your email address changes to ${page.account.newEmail} once both addresses have confirmed it.`}
              </dd>
            )}
          </div>
          <div>
            <dt>Member Since</dt>
            <dd>{formatMemberSince(page.account.createdAt)}</dd>
          </div>
        </dl>
      )}
      <a className="account-orders" href={paths.orders}>
        <PackageIcon size={28} />
        <span>
          <strong>My Orders</strong>
          <span>See what you ordered and where it is</span>
        </span>
        <ArrowRightIcon />
      </a>
      <div className="account-actions">
        <Button variant="outline" onClick={() => void signOutHere()}>
          <LogOutIcon size={18} /> Sign Out
        </Button>
        {__CAPABILITIES__.accountChanges && (
          <a className="btn btn-outline" href={paths.accountChange}>
            Change your account
          </a>
        )}
        {__CAPABILITIES__.accountData && (
          <a className="btn btn-outline" href={paths.accountData}>
            Your data
          </a>
        )}
        <a className="btn btn-outline" href={paths.home}>
          Return to Home
        </a>
      </div>
    </div>
  );
}

export const Account = () => (
  <Island>
    <Profile />
  </Island>
);
