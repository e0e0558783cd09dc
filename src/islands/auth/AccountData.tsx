import { useStore } from '@nanostores/react';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { AccountCard, AccountCards, Island, Skeleton } from '#islands/ui/Island.tsx';
import { paths } from '#paths.ts';
import {
  $accountData,
  deleteAccount,
  downloadData,
  LOADING_DATA,
  type AccountData as Page,
  requestDeletion,
} from '#stores/account/account-data.ts';
import { AccountForm, CurrentPassword } from './AccountForm.tsx';

const WHAT_STAYS =
  'Orders on their way still reach you. Of your orders we keep only what tax law requires: goods, amounts, dates and the place. Your name, address and phone go as soon as nothing is left to do with them. If you still wait for an answer about a return or a message, it will not come by email.';

const Choosing = ({ working, hasEmail = false }: Page) => (
  <>
    <AccountCard>
      <h2 className="text-subheading">Everything about you</h2>
      <p>A file with your account, your orders, payments and emails.</p>
      <Button variant="outline" busy={working === 'file'} onClick={() => void downloadData()}>
        Download the file
      </Button>
    </AccountCard>
    <AccountCard>
      <h2 id="delete-title" className="text-subheading">
        Delete your account
      </h2>
      <p>{WHAT_STAYS}</p>
      {hasEmail ? (
        <p id="deletion-email" role="status" tabIndex={-1}>
          <strong>
            We have sent an email to the address of your account. Its link works once, for 60 minutes.
          </strong>
        </p>
      ) : (
        <AccountForm
          form={requestDeletion}
          labelledBy="delete-title"
          fields={['currentPassword']}
          labels={{ submit: 'Email me the link', working: 'Sending...' }}
        >
          {(field) => <CurrentPassword {...field('currentPassword')} />}
        </AccountForm>
      )}
    </AccountCard>
  </>
);

const Confirming = ({ working }: Page) => (
  <AccountCard>
    <h2 className="text-subheading">Delete your account?</h2>
    <p>{WHAT_STAYS}</p>
    <p>
      <strong>This cannot be undone.</strong>
    </p>
    <div className="flex flex-wrap gap-3 max-md:grid max-md:justify-self-stretch">
      <Button busy={working === 'deletion'} onClick={() => void deleteAccount()}>
        Delete my account
      </Button>
      <ButtonLink variant="outline" href={paths.home}>
        Keep it
      </ButtonLink>
    </div>
  </AccountCard>
);

const Deleted = () => (
  <AccountCard role="status">
    <h2 id="account-deleted" className="text-subheading" tabIndex={-1}>
      Your account is deleted
    </h2>
    <p>
      We have sent you a last email. Track an order that is on its way with its number and your phone number.
    </p>
    <div className="flex flex-wrap gap-3 max-md:grid max-md:justify-self-stretch">
      <ButtonLink variant="outline" href={paths.trackOrder}>
        Track Order
      </ButtonLink>
      <ButtonLink variant="outline" href={paths.home}>
        Return to Home
      </ButtonLink>
    </div>
  </AccountCard>
);

export function AccountData() {
  const page = useStore($accountData, { ssr: () => LOADING_DATA });
  const buttons = page.hasEmail || page.status === 'deleted' ? 0 : 1;
  useFocusAfterRemoval(buttons, 'deletion-email', 'account-deleted');
  return (
    <Island>
      <AccountCards>
        {page.status === 'loading' && (
          <div aria-hidden="true">
            <Skeleton className="h-51 rounded-card" />
          </div>
        )}
        {page.status === 'choosing' && <Choosing {...page} />}
        {page.status === 'confirming' && <Confirming {...page} />}
        {page.status === 'deleted' && <Deleted />}
      </AccountCards>
    </Island>
  );
}
