import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { paths } from '#paths.ts';
import {
  $accountData,
  deleteAccount,
  downloadData,
  LOADING_DATA,
  openAccountData,
  type AccountData as Page,
  requestDeletion,
} from '#stores/account/account-data.ts';

const WHAT_STAYS =
  'Orders on their way still reach you. Of your orders we keep only what tax law requires: goods, amounts, dates and the place. Your name, address and phone go as soon as nothing is left to do with them. If you still wait for an answer about a return or a message, it will not come by email.';

const Choosing = ({ working, hasEmail = false }: Page) => (
  <>
    <section className="account-card">
      <h2>Everything about you</h2>
      <p>A file with your account, your orders, payments and emails.</p>
      <Button variant="outline" busy={working === 'file'} onClick={() => void downloadData()}>
        Download the file
      </Button>
    </section>
    <section className="account-card">
      <h2>Delete your account</h2>
      <p>{WHAT_STAYS}</p>
      {hasEmail ? (
        <p id="deletion-email" role="status" tabIndex={-1}>
          <strong>
            We have sent an email to the address of your account. Its link works once, for 60 minutes.
          </strong>
        </p>
      ) : (
        <Button
          id="request-deletion"
          variant="outline"
          busy={working === 'email'}
          onClick={() => void requestDeletion()}
        >
          Email me the link
        </Button>
      )}
    </section>
  </>
);

const Confirming = ({ working }: Page) => (
  <section className="account-card">
    <h2>Delete your account?</h2>
    <p>{WHAT_STAYS}</p>
    <p>
      <strong>This cannot be undone.</strong>
    </p>
    <div className="account-actions">
      <Button busy={working === 'deletion'} onClick={() => void deleteAccount()}>
        Delete my account
      </Button>
      <a className="btn btn-outline" href={paths.home}>
        Keep it
      </a>
    </div>
  </section>
);

const Deleted = () => (
  <section className="account-card" role="status">
    <h2 id="account-deleted" tabIndex={-1}>
      Your account is deleted
    </h2>
    <p>
      We have sent you a last email. Track an order that is on its way with its number and your phone number.
    </p>
    <div className="account-actions">
      <a className="btn btn-outline" href={paths.trackOrder}>
        Track Order
      </a>
      <a className="btn btn-outline" href={paths.home}>
        Return to Home
      </a>
    </div>
  </section>
);

export function AccountData() {
  const page = useStore($accountData, { ssr: () => LOADING_DATA });
  useEffect(openAccountData, []);
  const buttons = page.hasEmail || page.status === 'deleted' ? 0 : 1;
  useFocusAfterRemoval(buttons, 'deletion-email', 'account-deleted');
  return (
    <Island className="account">
      {page.status === 'loading' && (
        <div aria-hidden="true">
          <Skeleton className="account-bone-card" />
        </div>
      )}
      {page.status === 'choosing' && <Choosing {...page} />}
      {page.status === 'confirming' && <Confirming {...page} />}
      {page.status === 'deleted' && <Deleted />}
    </Island>
  );
}
