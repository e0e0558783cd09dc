import { STATUSES, statusOf } from '#domain/order-status.ts';

/** The staff's statuses. To the API, an order whose parcel came back or was lost is cancelled. `code` is stored: never change it. */
export const STAFF_STATUSES = {
  ...STATUSES,
  returnedToOrigin: { ...STATUSES.cancelled, code: 5, label: 'Came back' },
  lost: { ...STATUSES.cancelled, code: 6, label: 'Lost' },
} as const;

export type StaffStatusName = keyof typeof STAFF_STATUSES;

export const staffStatusOf = (status: number): ReturnType<typeof statusOf> =>
  Object.values(STAFF_STATUSES).find(({ code }) => code === status) ?? statusOf(status);

/** Whether it was cancelled, came back or was lost: nothing is owed any more. */
export const hasEnded = (status: number): boolean => staffStatusOf(status).needsRefund === true;

/** Returns a predicate such as 'is Shipped'. */
export const statusText = (status: number): string =>
  status === STAFF_STATUSES.returnedToOrigin.code ? 'came back' : `is ${staffStatusOf(status).label}`;
