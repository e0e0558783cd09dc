import { STATUSES as API_STATUSES, statusOf as apiStatusOf } from '#domain/order-status.ts';

/** Why a parcel came back. The keys are stored; the API sends the texts. */
export const CAME_BACK = {
  refused: 'it was refused',
  not_found: 'the address was not found',
  damaged: 'it was damaged',
} as const;

export type CameBack = keyof typeof CAME_BACK;

/** The statuses of the staff. The API calls a parcel that came back cancelled. `code` is stored: never change it. */
export const STATUSES = {
  ...API_STATUSES,
  cameBack: { ...API_STATUSES.cancelled, code: 5, label: 'Came back' },
} as const;

export type StatusName = keyof typeof STATUSES;

export const statusOf = (status: number): ReturnType<typeof apiStatusOf> =>
  Object.values(STATUSES).find(({ code }) => code === status) ?? apiStatusOf(status);

/** Such as 'is Shipped', for a sentence. */
export const standing = (status: number): string =>
  status === STATUSES.cameBack.code ? 'came back' : `is ${statusOf(status).label}`;

/** The status in the API, which has 0 to 4. */
export const apiStatus = (status: number): number =>
  status === STATUSES.cameBack.code ? STATUSES.cancelled.code : status;
